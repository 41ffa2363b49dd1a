//! What every page has around its own content, and the headers that it is sent with.

use crate::assets::Assets;
use crate::pages::parts;
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::http::header;
use maud::{DOCTYPE, Markup, html};
use std::time::Duration;
use uuid::Uuid;
use worker_manager::AGE;

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
/// `age` is for how long the database has not answered.
pub(crate) fn text(assets: &Assets, page: &Page<'_>, nonce: Option<&str>, age: Option<Duration>) -> String {
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
                main #_content tabindex="-1" {
                    // The status says it in its own words.
                    @if let Some(age) = age.filter(|_| page.place != Place::Status) { (old(age)) }
                    (page.content)
                }
                footer { "worker-manager " (env!("CARGO_PKG_VERSION")) " · " a href="/api/worker-manager/v1/openapi.json" { "API" } " · " a href="/problems" { "Problems" } }
            }
        }
    };
    markup.into_string()
}

/// What whoever reads or changes something must know before.
fn old(age: Duration) -> Markup {
    html! {
        p.notice.warning {
            "The database has not answered for " (parts::duration(age)) ": what you read may be old, and changes are refused until it answers. "
            a href="/status" { "Status" }
        }
    }
}

/// The answer with a page whose content depends on who asks and when.
pub(crate) fn answer(state: &State, page: &Page<'_>) -> HttpResponse {
    // The editor's library makes style elements; they carry a number that nobody else knows.
    let nonce = (!page.islands.is_empty()).then(|| Uuid::new_v4().simple().to_string());
    let age = state.registry.stale_for();
    sent(text(&state.assets, page, nonce.as_deref(), age), nonce.as_deref(), age)
}

/// The answer with the text of a page; `nonce` and `age` are those that it was made with.
pub(crate) fn sent(text: String, nonce: Option<&str>, age: Option<Duration>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    for (name, value) in headers(nonce) {
        response.insert_header((name, value));
    }
    if let Some(age) = age {
        response.insert_header((AGE, age.as_secs().to_string()));
    }
    response.body(text)
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

#[cfg(test)]
mod tests {
    use super::{Page, Place, sent, text};
    use crate::assets::Assets;
    use maud::Markup;
    use std::time::Duration;

    #[test]
    fn a_page_says_that_the_database_is_away_and_the_status_says_it_in_its_own_words() {
        let assets = Assets::load();
        let words = "The database has not answered for 42 s: what you read may be old";
        let shown = |place, age: Option<u64>| {
            let page = Page { title: "t", place, islands: &[], content: Markup::default() };
            text(&assets, &page, None, age.map(Duration::from_secs))
        };
        assert!(shown(Place::WorkerTypes, Some(42)).contains(words));
        assert!(!shown(Place::WorkerTypes, None).contains("has not answered"));
        assert!(!shown(Place::Status, Some(42)).contains("has not answered"));
        let age = |age| sent(String::new(), None, age).headers().get("x-registry-age").cloned();
        assert_eq!((age(Some(Duration::from_secs(42))).unwrap(), age(None)), ("42".parse().unwrap(), None));
    }
}
