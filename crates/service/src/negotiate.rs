//! Which media type a request wants (RFC 9110 §12.5.1).

use actix_web::http::header::{self, HeaderMap};

/// The one of `offered` that `Accept` likes best; the earlier wins among equals, and the first where there is no such
/// header. None where the header takes none of them.
pub fn best(headers: &HeaderMap, offered: &[&'static str]) -> Option<&'static str> {
    let Some(accept) = headers.get(header::ACCEPT) else { return offered.first().copied() };
    let accept = accept.to_str().unwrap_or_default();
    if accept.trim().is_empty() {
        return offered.first().copied();
    }
    let mut chosen = None;
    let mut highest = 0.0;
    for media in offered {
        let weight = weight(accept, media);
        if weight > highest {
            (chosen, highest) = (Some(*media), weight);
        }
    }
    chosen
}

/// Whether `Accept` takes `media`.
pub fn accepts(headers: &HeaderMap, media: &'static str) -> bool {
    best(headers, &[media]).is_some()
}

/// The weight that the most specific range gives to `media`.
fn weight(accept: &str, media: &str) -> f32 {
    let kind = media.split('/').next().unwrap_or_default();
    let mut found = (0, 0.0);
    for range in accept.split(',') {
        let mut parts = range.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let specific = if name.eq_ignore_ascii_case(media) {
            3
        } else if name.strip_suffix("/*").is_some_and(|range| range.eq_ignore_ascii_case(kind)) {
            2
        } else if name == "*/*" {
            1
        } else {
            continue;
        };
        let q = parts.find_map(|part| part.trim().strip_prefix("q=").map(|q| q.parse().unwrap_or(0.0)));
        if specific > found.0 {
            found = (specific, q.unwrap_or(1.0));
        }
    }
    found.1
}

#[cfg(test)]
mod tests {
    use super::best;
    use actix_web::http::header::{ACCEPT, HeaderMap, HeaderValue};

    #[test]
    fn the_most_specific_range_decides_and_the_first_offer_wins_a_tie() {
        let offered = &["text/markdown", "text/html"];
        for (accept, expected) in [
            ("*/*", Some("text/markdown")),
            ("text/html", Some("text/html")),
            ("text/html,application/xhtml+xml,*/*;q=0.8", Some("text/html")),
            ("text/*", Some("text/markdown")),
            ("text/*;q=0.5, text/html", Some("text/html")),
            ("text/html;q=0", None),
            ("application/json", None),
            ("", Some("text/markdown")),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
            assert_eq!(best(&headers, offered), expected, "{accept}");
        }
        assert_eq!(best(&HeaderMap::new(), offered), Some("text/markdown"));
    }
}
