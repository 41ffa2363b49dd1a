//! What is left of rendered text in the end. The renderer leaves raw HTML out already; this does not rely on it.

use ammonia::Builder;
use std::sync::LazyLock;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::default();
    for heading in ["h1", "h2", "h3", "h4", "h5", "h6"] {
        cleaner.add_tag_attributes(heading, &["id"]);
    }
    cleaner.add_tag_attributes("a", &["aria-label"]);
    cleaner.add_tag_attributes("code", &["class"]);
    cleaner.rm_tags(&["img"]);
    // A wide table scrolls in its own place, which the keyboard must reach.
    cleaner.set_tag_attribute_value("table", "tabindex", "0");
    cleaner
});

pub(crate) fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}
