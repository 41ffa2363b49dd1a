//! Small complete HTML pages, for what a service serves to people where the web interface does not run.

use actix_web::HttpResponse;
use actix_web::http::header;
use std::fmt::Write;

/// Nothing is loaded and no script runs; the style stands in the page and is named by its hash.
const POLICY: &str =
    "default-src 'none'; style-src 'sha256-SHA'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = ":root{color-scheme:light dark}html{background:Canvas;color:CanvasText}\
body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}\
pre{white-space:pre-wrap;padding:.5rem;border:1px solid}table{border-collapse:collapse}\
td,th{border:1px solid;padding:.2rem .4rem;text-align:left}td:first-child,code{overflow-wrap:anywhere}";

/// A page with `title` (text) and `body` (HTML that is safe).
pub fn html(title: &str, body: &str) -> String {
    let mut page = String::with_capacity(body.len() + 600);
    // Writing to memory does not fail.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{}</title><style>{STYLE}</style></head>\n<body><main>{body}</main></body></html>\n",
        escape(title)
    );
    page
}

/// Text in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The headers of such a page.
pub fn headers() -> [(header::HeaderName, String); 4] {
    use base64::Engine;
    use sha2::{Digest, Sha256};
    let hash = base64::prelude::BASE64_STANDARD.encode(Sha256::digest(STYLE));
    [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.replace("SHA", &hash)),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ]
}

/// An answer with such a page.
pub(crate) fn response(title: &str, body: &str) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    for header in headers() {
        response.insert_header(header);
    }
    response.body(html(title, body))
}

#[cfg(test)]
mod tests {
    use super::{headers, html};

    #[test]
    fn a_title_is_text_and_the_policy_names_the_style() {
        assert!(html("<b>&", "").contains("<title>&lt;b&gt;&amp;</title>"));
        let policy = &headers()[1].1;
        assert!(policy.contains("default-src 'none'") && policy.contains("style-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe"));
    }
}
