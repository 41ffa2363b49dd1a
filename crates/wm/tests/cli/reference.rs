//! The reference pages that are made from the arguments. `UPDATE_GOLDEN=1 cargo test -p wm` writes them.

use crate::given::root;

fn holds(name: &str, expected: &str) {
    let page = root().join("docs/reference").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&page, expected).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(written == expected, "docs/reference/{name} is stale: run UPDATE_GOLDEN=1 cargo test -p wm");
}

#[test]
fn the_page_about_the_command_line_is_fresh() {
    holds("cli.md", &wm::reference::cli_page());
}

#[test]
fn the_page_about_settings_is_fresh() {
    holds("configuration.md", &wm::reference::configuration_page());
}
