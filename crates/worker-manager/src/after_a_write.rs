//! Reads that say which write they follow: they wait until this server has applied it.

use crate::answer::CURSOR;
use crate::refusal;
use crate::state::State;
use actix_web::http::header::HeaderValue;
use actix_web::web::Data;
use registry::{Cursor, ReadError, WaitError};
use service::{Condition, Kind, Parameter, Refusal, Waits};
use std::rc::Rc;
use worker_types::Problem;

/// What the rows of reads may be asked to wait for.
pub(crate) const WAITS: Waits = Waits {
    header: Parameter::optional(
        CURSOR,
        Kind::Text,
        "From the answer to a write, or any cursor of the feed: the read waits until this server has applied it",
    ),
    problems: &[Problem::InvalidCursor, Problem::Behind],
};

/// Waits until this server can go on with a list that another began.
pub(crate) async fn continued(state: &State, token: Option<&str>) -> Result<(), Refusal> {
    let Some(token) = token else { return Ok(()) };
    let begun = registry::continued_from(token).map_err(refusal::read)?;
    match state.registry.wait_for(&begun, state.options.cursor_patience).await {
        Ok(()) => Ok(()),
        Err(behind @ WaitError::Behind { .. }) => Err(refusal::wait(behind)),
        Err(_) => Err(refusal::read(ReadError::InvalidContinuation)),
    }
}

/// Waits, where a read has the header; one without it does not come here.
pub(crate) fn condition(state: Data<State>) -> Condition {
    Rc::new(move |value: &HeaderValue| {
        let (state, cursor) = (state.clone(), value.to_str().ok().and_then(|text| text.parse::<Cursor>().ok()));
        Box::pin(async move {
            let cursor = cursor.ok_or_else(|| refusal::wait(WaitError::InvalidCursor))?;
            state.registry.wait_for(&cursor, state.options.cursor_patience).await.map_err(refusal::wait)
        })
    })
}
