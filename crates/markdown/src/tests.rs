use super::{Sections, section, snippet, to_html};

#[test]
fn headings_can_be_linked_to() {
    let html = to_html("## What it may do\n\n[there](#what-it-may-do)");
    assert!(html.contains("<h2 id=\"what-it-may-do\">What it may do"), "{html}");
    assert!(html.contains("href=\"#what-it-may-do\" aria-label="), "{html}");
}

#[test]
fn nothing_that_acts_or_loads_comes_through() {
    let html = to_html(
        "<script>alert(1)</script> <b onclick=\"x()\">b</b> [l](javascript:alert(1)) <style>*{}</style>\n\n\
         <iframe src=\"https://example.com\"></iframe> ![i](data:text/html,x) <form action=\"/\"></form>\n\n\
         ![diagram](https://example.com/a.png \"t\")",
    );
    for bad in ["<script", "onclick", "javascript:", "<style", "<iframe", "data:", "<form", "<img"] {
        assert!(!html.contains(bad), "{bad} in {html}");
    }
    assert!(html.contains("href=\"https://example.com/a.png\"") && html.contains(">diagram</a>"), "{html}");
}

#[test]
fn tables_and_code_are_shown() {
    let html = to_html("| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{\"a\": 1}\n```");
    assert!(html.contains("<table tabindex=\"0\">") && html.contains("<code class=\"language-json\">"), "{html}");
}

#[test]
fn headings_of_a_section_follow_one_another() {
    let section = section("# Linux\n\n#### Deep\n\n## Limits *now*\n\n## Limits now\n\n# More", 2);
    let found: Vec<_> = section.headings.iter().map(|h| (h.level, h.id.as_str(), h.text.as_str())).collect();
    let expected = [
        (2, "linux", "Linux"),
        (3, "deep", "Deep"),
        (3, "limits-now", "Limits now"),
        (3, "limits-now-1", "Limits now"),
        (2, "more", "More"),
    ];
    assert_eq!(found, expected);
    for (level, id, _) in expected {
        assert!(section.html.contains(&format!("<h{level} id=\"{id}\">")), "{}", section.html);
    }
}

#[test]
fn a_snippet_has_no_headings_and_no_anchors() {
    let html = snippet("# Seconds\n\nAt *most* `3600`.");
    assert_eq!(html, "<p>Seconds</p>\n<p>At <em>most</em> <code>3600</code>.</p>\n");
}

#[test]
fn texts_on_one_page_have_anchors_of_their_own() {
    let mut sections = Sections::default();
    let first = sections.add("# Examples\n\n[here](#examples)", 3);
    let second =
        sections.add("## Examples\n\n[second](#examples-1) `id=\"examples\"`\n\n## Examples\n\n[other](#elsewhere)", 3);
    assert!(first.html.contains("<h3 id=\"examples\">") && first.html.contains("href=\"#examples\""), "{}", first.html);
    let ids: Vec<&str> = second.headings.iter().map(|heading| heading.id.as_str()).collect();
    assert_eq!(ids, ["part-2-examples", "part-2-examples-1"]);
    for part in [
        "<h3 id=\"part-2-examples\">",
        "<h3 id=\"part-2-examples-1\">",
        "<a href=\"#part-2-examples-1\" rel",
        "href=\"#elsewhere\"",
    ] {
        assert!(second.html.contains(part), "{part} in {}", second.html);
    }
}
