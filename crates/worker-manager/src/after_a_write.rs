//! Reads that say which write they follow: they wait until this server has applied it.

use crate::answer::CURSOR;
use crate::refusal;
use crate::state::State;
use actix_web::http::header::HeaderValue;
use actix_web::web::Data;
use registry::{Cursor, WaitError};
use service::{Condition, Kind, Parameter, Waits};
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
