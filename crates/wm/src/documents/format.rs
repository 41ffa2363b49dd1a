//! In which format a file is written: by its name, and for names that say nothing, by how it begins.

use std::path::Path;

/// The formats of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 8259.
    Json,
    /// YAML 1.2, core schema.
    Yaml,
}

/// The formats of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// One JSON value.
    Json,
    /// One YAML document.
    Yaml,
    /// One JSON value on each line.
    Ndjson,
}

impl FileFormat {
    /// The format of the file at `path`, which holds `bytes`.
    pub fn of(path: &Path, bytes: &[u8]) -> Self {
        match Self::by_name(path) {
            // Recordings are called .json as well.
            Some(Self::Json) if is_ndjson(bytes) => Self::Ndjson,
            Some(format) => format,
            None => Self::of_content(bytes),
        }
    }

    /// The format that the file's name says.
    pub fn by_name(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("yml" | "yaml") => Some(Self::Yaml),
            Some("ndjson" | "jsonl" | "jsonlines") => Some(Self::Ndjson),
            Some("json") => Some(Self::Json),
            _ => None,
        }
    }

    fn of_content(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let after = text.get(1..).unwrap_or_default().trim_ascii_start();
        match (text.first(), after.first()) {
            _ if is_ndjson(bytes) => Self::Ndjson,
            // `{a: 1}` and `[a]` are YAML; JSON's keys are quoted, and so are most items of its arrays.
            (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'"' | b'{' | b'[' | b']')) => Self::Json,
            _ => Self::Yaml,
        }
    }
}

/// Whether the first two lines that are not blank are each a whole JSON object.
fn is_ndjson(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let whole = |line: &[u8]| line.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    lines.next().is_some_and(whole) && lines.next().is_some_and(whole)
}

#[cfg(test)]
mod tests {
    use super::FileFormat;
    use std::path::Path;

    fn of(name: &str, text: &str) -> FileFormat {
        FileFormat::of(Path::new(name), text.as_bytes())
    }

    #[test]
    fn the_name_decides() {
        assert_eq!(of("a.yml", "{\"a\": 1}"), FileFormat::Yaml);
        assert_eq!(of("a.YAML", ""), FileFormat::Yaml);
        assert_eq!(of("a.json", "a: 1"), FileFormat::Json);
        assert_eq!(of("a.ndjson", ""), FileFormat::Ndjson);
    }

    #[test]
    fn a_name_that_says_nothing_leaves_it_to_the_content() {
        assert_eq!(of("-", "{\"a\": 1}"), FileFormat::Json);
        assert_eq!(of("-", "{\n  \"a\": 1\n}"), FileFormat::Json);
        assert_eq!(of("-", "{a: 1}"), FileFormat::Yaml);
        assert_eq!(of("-", "a: 1"), FileFormat::Yaml);
        assert_eq!(of("task", "[{\"a\": 1}]"), FileFormat::Json);
    }

    #[test]
    fn whole_objects_on_the_first_two_lines_are_ndjson() {
        assert_eq!(of("-", "{\"a\": 1}\n\n{\"b\": 2}\nrubbish"), FileFormat::Ndjson);
        assert_eq!(of("recorded.json", "{}\n{}\n"), FileFormat::Ndjson);
        assert_eq!(of("-", "{\"a\": 1}\n"), FileFormat::Json);
    }
}
