//! Ids in the path, parsed once into types that cannot be wrong afterwards.

use crate::Refusal;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use std::future::{Ready, ready};
use worker_types::{ContentHash, IdError, Problem, ReleaseId, RevisionNumber, TaskId, WorkerTypeId};

/// The id that the path names.
#[derive(Clone, Debug)]
pub struct Id<T>(pub T);

/// What can be read from path parameters.
pub trait PathId: Sized + 'static {
    /// Reads it; `parameter` gives a path parameter by its name, decoded.
    ///
    /// # Errors
    /// It does not fit its pattern.
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal>;
}

impl<T: PathId> FromRequest for Id<T> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parameter = |name: &str| {
            let text = request.match_info().get(name);
            decode(text.ok_or_else(|| Refusal::internal(format!("the route has no parameter {name}")))?)
        };
        ready(T::read(&parameter).map(Self))
    }
}

impl PathId for WorkerTypeId {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        Self::new(&parameter("provisionerId")?, &parameter("workerType")?).map_err(invalid)
    }
}

impl PathId for ReleaseId {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        Self::new(&parameter("name")?, &parameter("version")?).map_err(invalid)
    }
}

impl PathId for RevisionNumber {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        parameter("revision")?.parse().map_err(invalid)
    }
}

impl PathId for ContentHash {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        parameter("hash")?.parse().map_err(invalid)
    }
}

impl PathId for TaskId {
    fn read(parameter: &dyn Fn(&str) -> Result<String, Refusal>) -> Result<Self, Refusal> {
        parameter("taskId")?.parse().map_err(invalid)
    }
}

fn invalid(error: IdError) -> Refusal {
    Refusal::new(Problem::InvalidId, error.to_string())
}

/// A path parameter with what is still percent-encoded decoded.
pub(crate) fn decode(text: &str) -> Result<String, Refusal> {
    if !text.contains('%') {
        return Ok(text.to_owned());
    }
    percent_decode(text).ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        Refusal::new(Problem::InvalidId, format!("the path has {shown:?}, which is not percent-encoded UTF-8"))
    })
}

/// `%XX` to bytes, which must be UTF-8; none if they are not.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        if *first == b'%' {
            let digits = behind.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::percent_decode;

    #[test]
    fn what_is_not_percent_encoded_utf8_is_no_text() {
        assert_eq!(percent_decode("1.0%2Bb%c3%a9").as_deref(), Some("1.0+bé"));
        for bad in ["%", "%1", "%zz", "%ff", "%+1"] {
            assert_eq!(percent_decode(bad), None, "{bad}");
        }
    }
}
