//! Documentation as a page of its own, for whom the API gives it.

/// A complete page with the rendered text.
pub(crate) fn page(title: &str, markdown: &str) -> String {
    service::html_page(title, &markdown::to_html(markdown))
}
