//! Errors that are not ours, said as problems of our table.

use crate::Refusal;
use crate::body::broken_off;
use actix_web::Error;
use actix_web::error::PayloadError;
use worker_types::Problem;

/// What an error of actix-web's own comes to.
pub(crate) fn refusal(error: &Error) -> Refusal {
    if let Some(PayloadError::Overflow) = error.as_error::<PayloadError>() {
        return Refusal::new(Problem::TooLarge, "the body is larger than this server reads");
    }
    if let Some(error) = error.as_error::<PayloadError>() {
        return broken_off(error);
    }
    let problem = match error.as_response_error().status_code().as_u16() {
        404 => Problem::UnknownRoute,
        405 => Problem::MethodNotAllowed,
        406 => Problem::NotAcceptable,
        413 => Problem::TooLarge,
        415 => Problem::WrongContentType,
        400..=499 => Problem::InvalidRequest,
        503 => Problem::NotReady,
        _ => return Refusal::internal(error),
    };
    Refusal::new(problem, error.to_string())
}
