//! Markdown for people: rendered, then cleaned of everything that could act.

/// The rendered text, safe to stand in a page. Raw HTML is left out by the renderer, and what is left is cleaned once more.
pub fn to_html(markdown: &str) -> String {
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    // Without a prefix, so that an author's own links to headings (`#limits`) lead there.
    options.extension.header_id_prefix = Some(String::new());
    let html = comrak::markdown_to_html(markdown, &options);
    let mut cleaner = ammonia::Builder::default();
    for heading in ["h1", "h2", "h3", "h4", "h5", "h6"] {
        cleaner.add_tag_attributes(heading, &["id"]);
    }
    cleaner.add_tag_attributes("a", &["aria-label"]);
    cleaner.add_tag_attributes("code", &["class"]);
    cleaner.clean(&html).to_string()
}

#[cfg(test)]
mod tests {
    use super::to_html;

    #[test]
    fn headings_can_be_linked_to() {
        let html = to_html("## What it may do\n\n[there](#what-it-may-do)");
        assert!(html.contains("<h2 id=\"what-it-may-do\">What it may do"), "{html}");
        assert!(html.contains("href=\"#what-it-may-do\" aria-label="), "{html}");
    }

    #[test]
    fn nothing_that_acts_comes_through() {
        let html = to_html(
            "<script>alert(1)</script> <b onclick=\"x()\">b</b> [l](javascript:alert(1)) <style>*{}</style>\n\n\
             <iframe src=\"https://example.com\"></iframe> ![i](data:text/html,x) <form action=\"/\"></form>",
        );
        for bad in ["<script", "onclick", "javascript:", "<style", "<iframe", "data:", "<form"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
    }

    #[test]
    fn tables_and_code_are_shown() {
        let html = to_html("| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{\"a\": 1}\n```");
        assert!(html.contains("<table>") && html.contains("<code class=\"language-json\">"), "{html}");
    }
}
