//! The reference pages that are generated from this crate's tables. `UPDATE_GOLDEN=1 cargo test -p worker-types` writes them.

use std::path::{Path, PathBuf};
use worker_types::Problem;
use worker_types::reference::{DEFINITION, FieldReference, RELEASE};

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name)
}

fn holds(name: &str, expected: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(page(name), expected).expect("the page can be written");
    }
    let written = std::fs::read_to_string(page(name)).unwrap_or_default();
    assert!(written == expected, "docs/reference/{name} is stale: run UPDATE_GOLDEN=1 cargo test -p worker-types");
}

fn table(fields: &[FieldReference]) -> String {
    let row = |field: &FieldReference| {
        format!("| `{}` | {} | {} | {} |\n", field.path, field.kind, field.default, field.words)
    };
    let rows: String = fields.iter().map(row).collect();
    format!("| field | value | if absent | what it says |\n|---|---|---|---|\n{rows}")
}

#[test]
fn the_page_about_definitions_is_fresh() {
    let text = format!(
        "# Definitions and releases\n\n\
         <!-- Generated from crates/worker-types/src/reference.rs. -->\n\n\
         A definition says what one worker type is; a release says what one version of an implementation accepts. Both are JSON, \
         or YAML in files. Unknown fields are refused. The whole text of a definition has at most 1 MiB, of a release 4 MiB, as canonical JSON \
         (RFC 8785).\n\n## Definition\n\n{}\n## Release\n\n{}",
        table(DEFINITION),
        table(RELEASE)
    );
    holds("definition.md", &text);
}

#[test]
fn the_page_about_problems_is_fresh() {
    let row = |problem: &Problem| {
        let name = problem.name();
        format!(
            "## {name}\n\n**{}**: HTTP {}, code `{}`. {}\n\n",
            problem.title(),
            problem.status(),
            problem.code(),
            problem.help()
        )
    };
    let text = format!(
        "# Problems\n\n<!-- Generated from crates/worker-types/src/problem.rs. -->\n\n\
         Every refusal is `application/problem+json` (RFC 9457). `problem` is the short name below; `code` is the error code that \
         Taskcluster's clients know; `errors[]` names each fault at its place.\n\n{}",
        Problem::ALL.iter().map(row).collect::<String>()
    );
    holds("problems.md", text.trim_end_matches('\n'));
}
