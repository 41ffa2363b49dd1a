//! What every page has around its own content, and the headers that it is sent with.

use crate::assets::Assets;
use actix_web::HttpResponse;
use actix_web::http::header;
use maud::{DOCTYPE, Markup, html};
use uuid::Uuid;

/// Where a page stands in the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    WorkerTypes,
    Implementations,
    Tasks,
    Status,
    Nowhere,
}

/// What a page says of itself.
pub(crate) struct Page<'a> {
    /// For the browser's tab; the product's name is added.
    pub(crate) title: &'a str,
    pub(crate) place: Place,
    /// The islands that it carries beside `reading`, as `assets.scripts` names them.
    pub(crate) islands: &'a [&'a str],
    pub(crate) content: Markup,
}

/// The text of a page. `nonce` is for the style elements that an editor makes.
pub(crate) fn text(assets: &Assets, page: &Page<'_>, nonce: Option<&str>) -> String {
    let scripts: Vec<String> = ["reading"].iter().chain(page.islands).flat_map(|name| assets.scripts(name)).collect();
    let entries = ["reading"].iter().chain(page.islands).filter_map(|name| assets.scripts(name).into_iter().next());
    let here = |place: Place| (page.place == place).then_some("page");
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(nonce) = nonce { meta name="style-nonce" content=(nonce); }
                title { (page.title) " · worker-manager" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(assets.style());
                @for script in entries.clone() { script type="module" src=(script) {} }
                @for script in scripts.iter().filter(|script| !entries.clone().any(|entry| entry == **script)) {
                    link rel="modulepreload" href=(script);
                }
            }
            body {
                a.skip href="#_content" { "Skip to the content" }
                header.top {
                    a.brand href="/" { "worker-manager" }
                    nav aria-label="Main" {
                        a href="/" aria-current=[here(Place::WorkerTypes)] { "Worker types" }
                        a href="/implementations" aria-current=[here(Place::Implementations)] { "Implementations" }
                        a href="/tasks/new" aria-current=[here(Place::Tasks)] { "New task" }
                        a href="/status" aria-current=[here(Place::Status)] { "Status" }
                    }
                    button #_theme type="button" hidden { "Theme" }
                }
                main #_content tabindex="-1" { (page.content) }
                footer { "worker-manager " (env!("CARGO_PKG_VERSION")) " · " a href="/api/worker-manager/v1/openapi.json" { "API" } " · " a href="/problems" { "Problems" } }
            }
        }
    };
    markup.into_string()
}

/// The answer with a page whose content depends on who asks and when.
pub(crate) fn answer(assets: &Assets, page: &Page<'_>) -> HttpResponse {
    // The editor's library makes style elements; they carry a number that nobody else knows.
    let nonce = (!page.islands.is_empty()).then(|| Uuid::new_v4().simple().to_string());
    let mut response = HttpResponse::Ok();
    for (name, value) in headers(nonce.as_deref()) {
        response.insert_header((name, value));
    }
    response.body(text(assets, page, nonce.as_deref()))
}

/// The headers of a page: nothing comes from elsewhere, nothing in it acts by itself.
pub(crate) fn headers(nonce: Option<&str>) -> Vec<(header::HeaderName, String)> {
    let style = nonce.map_or_else(|| "'self'".to_owned(), |nonce| format!("'self' 'nonce-{nonce}'"));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    vec![
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ]
}
