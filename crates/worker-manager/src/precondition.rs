//! Which state a write means to change, and who makes it: the headers of every write.

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderMap, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpRequest};
use registry::{Precondition, WriteContext};
use service::{Authorised, EntityTags, Kind, Parameter, Refusal, RequestId};
use std::future::{Ready, ready};
use worker_types::{Generation, Problem};

/// The headers, as the table lists them.
pub(crate) const HEADERS: &[Parameter] = &[
    Parameter::optional(
        "If-Match",
        Kind::Text,
        "The state that is changed: \"g<generation>\", or * for whatever is there",
    ),
    Parameter::optional("If-None-Match", Kind::Text, "* to write only if nothing is there"),
];

/// The context of a write, from its headers and its caller. The message is the handler's to add.
pub(crate) struct Writing(pub(crate) WriteContext);

impl Writing {
    /// With the caller's words.
    pub(crate) fn because(self, message: Option<String>) -> WriteContext {
        WriteContext { message, ..self.0 }
    }
}

impl FromRequest for Writing {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let Acting(context) = match Acting::from_request(request, payload).into_inner() {
            Ok(acting) => acting,
            Err(refusal) => return ready(Err(refusal)),
        };
        ready(read(request.headers()).map(|precondition| Self(WriteContext { precondition, ..context })))
    }
}

/// The context of a write that needs no precondition: what it writes is immutable.
pub(crate) struct Acting(WriteContext);

impl Acting {
    /// With the caller's words.
    pub(crate) fn because(self, message: Option<String>) -> WriteContext {
        WriteContext { message, ..self.0 }
    }
}

impl FromRequest for Acting {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let caller = Authorised::from_request(request, payload).into_inner();
        let request_id = RequestId::from_request(request, payload).into_inner();
        let context = |Authorised(caller), id: RequestId| {
            Self(WriteContext { caller, precondition: None, message: None, request_id: Some(id.to_string()) })
        };
        ready(caller.and_then(|caller| request_id.map(|id| context(caller, id))))
    }
}

/// Reads `If-Match` and `If-None-Match`.
fn read(headers: &HeaderMap) -> Result<Option<Precondition>, Refusal> {
    let matching = EntityTags::read(headers, IF_MATCH)?;
    let absent = EntityTags::read(headers, IF_NONE_MATCH)?;
    match (matching, absent) {
        (None, None) => Ok(None),
        (None, Some(EntityTags::Any)) => Ok(Some(Precondition::Absent)),
        (Some(EntityTags::Any), None) => Ok(Some(Precondition::Any)),
        (Some(EntityTags::List(tags)), None) => generation(&tags).map(|seen| Some(Precondition::Generation(seen))),
        (Some(_), Some(_)) => Err(refuse("If-Match and If-None-Match contradict each other; send one of them")),
        (None, Some(EntityTags::List(_))) => Err(refuse("with a write, If-None-Match can only be *")),
    }
}

/// The one generation that the tags name. A tag of a compressed or of a public answer names the same generation.
fn generation(tags: &[(bool, String)]) -> Result<Generation, Refusal> {
    let mut found = None;
    for (weak, tag) in tags {
        if *weak {
            return Err(refuse(
                "If-Match takes strong entity tags only, as in \"g7\", not W/\"g7\" (RFC 9110 §13.1.1)",
            ));
        }
        let plain = tag.strip_suffix("+gzip").unwrap_or(tag);
        let plain = plain.strip_suffix("-public").unwrap_or(plain);
        let number = plain.strip_prefix('g').and_then(|number| number.parse::<Generation>().ok());
        let number = number.ok_or_else(|| {
            refuse(&format!(
                "If-Match names {tag:?}, which is no generation; send the ETag of the worker type, as in \"g7\""
            ))
        })?;
        if found.is_some_and(|other| other != number) {
            return Err(refuse("If-Match names two generations; a change is made to one"));
        }
        found = Some(number);
    }
    found.ok_or_else(|| refuse("If-Match is empty"))
}

fn refuse(detail: &str) -> Refusal {
    Refusal::new(Problem::InvalidHeader, detail)
}

#[cfg(test)]
mod tests {
    use super::read;
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
    use registry::Precondition;
    use worker_types::Generation;

    fn given(headers: &[(&'static str, &str)]) -> Option<Option<Precondition>> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        read(&map).ok()
    }

    #[test]
    fn each_form_names_a_state() {
        assert_eq!(given(&[]), Some(None));
        assert_eq!(given(&[("if-match", "*")]), Some(Some(Precondition::Any)));
        assert_eq!(given(&[("if-none-match", "*")]), Some(Some(Precondition::Absent)));
        let seventh = Some(Some(Precondition::Generation(Generation(7))));
        for tag in ["\"g7\"", "\"g7+gzip\"", "\"g7-public\"", "\"g7-public+gzip\"", "\"g7\", \"g7+gzip\""] {
            assert_eq!(given(&[("if-match", tag)]), seventh, "{tag}");
        }
    }

    #[test]
    fn what_names_no_state_is_refused() {
        for bad in ["\"7\"", "\"g0\"", "\"g\"", "W/\"g7\"", "g7", "\"g7\", \"g8\"", "", "\"gzip\"", "\"g+7\""] {
            assert_eq!(given(&[("if-match", bad)]), None, "{bad}");
        }
        assert_eq!(given(&[("if-match", "*"), ("if-none-match", "*")]), None);
        assert_eq!(given(&[("if-none-match", "\"g7\"")]), None);
    }
}
