//! Conditional requests and content codings (RFC 9110 §8.8, §12.5.3, §13).

use crate::Refusal;
use actix_web::http::header::{self, HeaderMap};
use worker_types::Problem;

/// Which form of a prebuilt answer the request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Identity,
    /// Compressed.
    Gzip,
}

/// The best form that `Accept-Encoding` takes; gzip wins where both are taken alike.
pub fn encoding(headers: &HeaderMap) -> Encoding {
    let Some(accepted) = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()) else {
        return Encoding::Identity;
    };
    let mut gzip = None;
    let mut any = None;
    for part in accepted.split(',') {
        let (coding, weight) = part.split_once(';').map_or((part, true), |(coding, rest)| (coding, is_taken(rest)));
        match coding.trim() {
            "*" => any = Some(weight),
            coding if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") => {
                gzip = Some(weight);
            }
            _ => {}
        }
    }
    if gzip.or(any).unwrap_or(false) { Encoding::Gzip } else { Encoding::Identity }
}

fn is_taken(parameters: &str) -> bool {
    let weight = parameters.trim().strip_prefix("q=").or_else(|| parameters.trim().strip_prefix("Q="));
    weight.is_none_or(|weight| weight.trim().parse::<f32>().is_ok_and(|weight| weight > 0.0))
}

/// The value of `If-Match` or `If-None-Match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityTags {
    /// `*`.
    Any,
    /// A list of `(weak, opaque tag without its quotes)`.
    List(Vec<(bool, String)>),
}

impl EntityTags {
    /// Reads a header.
    ///
    /// # Errors
    /// It is neither `*` nor a list of entity tags.
    pub fn read(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<Self>, Refusal> {
        let mut tags = Vec::new();
        let mut any = false;
        let mut lines = 0;
        for value in headers.get_all(&name) {
            lines += 1;
            let text = value.to_str().map_err(|_| malformed(&name))?.trim();
            if text == "*" {
                any = true;
            } else {
                read_list(text, &mut tags).ok_or_else(|| malformed(&name))?;
            }
        }
        match (lines, any, tags.is_empty()) {
            (0, ..) => Ok(None),
            (_, true, true) => Ok(Some(Self::Any)),
            (_, false, false) => Ok(Some(Self::List(tags))),
            _ => Err(malformed(&name)),
        }
    }
}

fn read_list(mut text: &str, tags: &mut Vec<(bool, String)>) -> Option<()> {
    loop {
        text = text.trim_start_matches([' ', '\t', ',']);
        if text.is_empty() {
            return Some(());
        }
        let weak = text.starts_with("W/");
        let quoted = text.strip_prefix("W/").unwrap_or(text).strip_prefix('"')?;
        let (tag, rest) = quoted.split_once('"')?;
        if !(rest.is_empty() || rest.starts_with([' ', '\t', ','])) {
            return None;
        }
        tags.push((weak, tag.to_owned()));
        text = rest;
    }
}

fn malformed(name: &header::HeaderName) -> Refusal {
    let detail = format!("the header {name} must be * or a list of quoted entity tags, as in {name}: \"g7\"");
    Refusal::new(Problem::InvalidHeader, detail)
}

/// Whether `If-None-Match` names the representation with `etag` (quotes included), or anything at all: then the answer
/// to a read is 304. Weak comparison; a header that cannot be read names nothing.
pub fn if_none_match(headers: &HeaderMap, etag: &str) -> bool {
    if !headers.contains_key(header::IF_NONE_MATCH) {
        return false;
    }
    match EntityTags::read(headers, header::IF_NONE_MATCH) {
        Ok(Some(EntityTags::Any)) => true,
        Ok(Some(EntityTags::List(tags))) => tags.iter().any(|(_, tag)| tag == etag.trim_matches('"')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, EntityTags, encoding, if_none_match};
    use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};

    fn headers(name: HeaderName, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn gzip_is_taken_where_it_is_not_refused() {
        for (accepted, expected) in [
            ("gzip, deflate, br", Encoding::Gzip),
            ("GZIP;q=0.1", Encoding::Gzip),
            ("br;q=1.0, *;q=0.5", Encoding::Gzip),
            ("gzip;q=0", Encoding::Identity),
            ("gzip;q=0, *", Encoding::Identity),
            ("*;q=0", Encoding::Identity),
            ("identity", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            assert_eq!(encoding(&headers(ACCEPT_ENCODING, &[accepted])), expected, "{accepted}");
        }
        assert_eq!(encoding(&HeaderMap::new()), Encoding::Identity);
    }

    #[test]
    fn if_none_match_compares_weakly_and_reads_lists() {
        for (given, expected) in [
            (&["\"a\""][..], true),
            (&["W/\"a\""], true),
            (&["\"b\", W/\"a\""], true),
            (&["\"b\"", "\"a\""], true),
            (&["*"], true),
            (&["\"b\""], false),
            (&["a"], false),
            (&["\"a"], false),
            (&[], false),
        ] {
            assert_eq!(if_none_match(&headers(IF_NONE_MATCH, given), "\"a\""), expected, "{given:?}");
        }
    }

    #[test]
    fn what_is_no_list_of_tags_is_refused() {
        for bad in ["g7", "\"g7", "\"a\"\"b\"", "W/g7", ",", ""] {
            assert!(EntityTags::read(&headers(IF_MATCH, &[bad]), IF_MATCH).is_err(), "{bad}");
        }
        assert!(EntityTags::read(&headers(IF_MATCH, &["*", "\"a\""]), IF_MATCH).is_err());
        assert_eq!(EntityTags::read(&HeaderMap::new(), IF_MATCH).unwrap(), None);
    }
}
