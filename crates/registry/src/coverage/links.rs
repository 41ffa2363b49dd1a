//! Links inside a Markdown document. Read as it is rendered, so that what a page shows and what is checked agree.

use comrak::nodes::NodeValue;
use comrak::{Anchorizer, Arena, Options, parse_document};
use std::collections::BTreeSet;

/// The anchors that are linked to and that no heading has, each once.
pub(super) fn dead(markdown: &str) -> Vec<String> {
    let arena = Arena::new();
    let document = parse_document(&arena, markdown, &Options::default());
    let (mut anchorizer, mut anchors, mut links) = (Anchorizer::new(), BTreeSet::new(), BTreeSet::new());
    for node in document.descendants() {
        match &node.data().value {
            NodeValue::Heading(_) => {
                let mut text = String::new();
                for part in node.descendants() {
                    match &part.data().value {
                        NodeValue::Text(words) => text.push_str(words),
                        NodeValue::Code(code) => text.push_str(&code.literal),
                        NodeValue::LineBreak | NodeValue::SoftBreak => text.push(' '),
                        _ => {}
                    }
                }
                anchors.insert(anchorizer.anchorize(&text));
            }
            NodeValue::Link(link) => {
                if let Some(anchor) = link.url.strip_prefix('#').filter(|anchor| !anchor.is_empty()) {
                    links.insert(anchor.to_owned());
                }
            }
            _ => {}
        }
    }
    links.difference(&anchors).map(|anchor| format!("#{anchor}")).collect()
}

#[cfg(test)]
mod tests {
    use super::dead;

    #[test]
    fn links_lead_to_headings() {
        let text = "# What it `may` do\n\n[there](#what-it-may-do) [twice](#limits-1) [gone](#limit) [out](https://example.com/#x)\n\n\
                    ## Limits\n\n## Limits\n\n```\n[code](#none)\n```\n[top](#)\n";
        assert_eq!(dead(text), ["#limit"]);
        assert!(dead("no links").is_empty());
    }
}
