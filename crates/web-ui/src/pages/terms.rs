//! What the words in the list mean: how payloads are checked, and where in its life a worker type stands.

use maud::{Markup, html};

const TERMS: &[(&str, &str)] = &[
    ("enforce", "A task whose payload does not fit is refused when it is created."),
    ("warn", "Such a task is created all the same; its author is told what does not fit."),
    ("off", "Payloads are not checked when tasks are created."),
    ("experimental", "May change or go without notice."),
    ("active", "In use: what has no mark is active."),
    ("deprecated", "Still accepts tasks; authors are told what replaces it."),
    ("retired", "Refuses tasks."),
];

/// The words, folded away until somebody asks.
pub(super) fn explained() -> Markup {
    html! {
        details.terms {
            summary { "What these words mean" }
            dl { @for (word, meaning) in TERMS { dt { (word) } dd { (meaning) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::explained;
    use worker_types::LifecycleState;

    #[test]
    fn every_word_of_the_list_is_explained() {
        let text = explained().into_string();
        for word in LifecycleState::NAMES.iter().chain(&["enforce", "warn", "off"]) {
            assert!(text.contains(&format!("<dt>{word}</dt>")), "{word}: {text}");
        }
    }
}
