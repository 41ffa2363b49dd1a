//! The table of a service's operations: what each is called, where it stands, who may call it, what it takes and what
//! it answers. The router, the OpenAPI document, the access checks and the tests read the same rows.

use serde::Serialize;
use worker_types::Problem;

/// The methods that operations have. `HEAD` works wherever `GET` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verb {
    /// Reads.
    Get,
    /// Puts what stands under the URL.
    Put,
    /// Anything else.
    Post,
    /// Removes what stands under the URL.
    Delete,
}

impl Verb {
    /// As HTTP spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }

    /// Whether calling it changes nothing.
    pub fn is_safe(self) -> bool {
        self == Self::Get
    }
}

/// Who may call an operation. `<name>` in a template stands for the path parameter of that name, `<workerTypeId>` for
/// `provisionerId/workerType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Access {
    /// Everybody.
    Public,
    /// Who has this scope. Checked before the request is read.
    Scope(&'static str),
    /// Who has a scope that this template can stand for; the handler then asks for each thing that the body names.
    Each(&'static str),
}

/// A query parameter or a header.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// As it is spelt in the URL.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Whether it must be given.
    pub required: bool,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Any text.
    Text,
    /// One line of at most this many characters.
    Line(usize),
    /// `true` or `false`.
    Flag,
    /// An integer within these bounds.
    Integer(u64, u64),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Parameter {
    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, description, kind, required: false }
    }

    /// One that must be given.
    pub const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, description, kind, required: true }
    }
}

/// The most bytes that are read of a body, and the setting that holds the number.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BodyLimit {
    /// As settings name it.
    pub setting: &'static str,
    /// Where the setting is not made.
    pub default: usize,
}

/// What an operation reads.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    /// Its media types; the first is the one that is documented.
    pub media: &'static [&'static str],
    /// The component of the OpenAPI document that describes it.
    pub schema: Option<&'static str>,
    /// How much is read.
    pub limit: BodyLimit,
    /// What it holds.
    pub description: &'static str,
}

impl Body {
    /// The media type of JSON.
    pub const JSON: &'static [&'static str] = &["application/json"];
    /// The media types of one JSON value for each line.
    pub const NDJSON: &'static [&'static str] = &["application/x-ndjson", "application/ndjson", "application/jsonl"];
}

/// An answer of success, or `304`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// When it comes.
    pub description: &'static str,
    /// The media type of its body, if it has one.
    pub media: Option<&'static str>,
    /// The component of the OpenAPI document that describes its body.
    pub schema: Option<&'static str>,
}

impl Answer {
    /// A JSON body described by `schema`.
    pub const fn json(status: u16, schema: &'static str, description: &'static str) -> Self {
        Self { status, description, media: Some("application/json"), schema: Some(schema) }
    }

    /// Another body.
    pub const fn of(status: u16, media: &'static str, description: &'static str) -> Self {
        Self { status, description, media: Some(media), schema: None }
    }

    /// No body.
    pub const fn empty(status: u16, description: &'static str) -> Self {
        Self { status, description, media: None, schema: None }
    }
}

/// What a request may ask to be waited for before it is served, by a header. The service's [`Condition`](crate::Condition)
/// does it.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Waits {
    /// The header.
    pub header: Parameter,
    /// How it is refused.
    #[serde(serialize_with = "names")]
    pub problems: &'static [Problem],
}

/// One row of the table.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Unique within the service; `requestInfo.method` of its problems.
    pub id: &'static str,
    /// Its method.
    pub method: Verb,
    /// Below the service's prefix, with `{parameters}`.
    pub path: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The group that it stands in.
    pub tag: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The query parameters; any other is refused.
    pub query: &'static [Parameter],
    /// The headers that it looks at.
    pub headers: &'static [Parameter],
    /// What it may be asked to wait for.
    pub waits: Option<Waits>,
    /// What it reads.
    pub body: Option<Body>,
    /// What it answers when all is well.
    pub answers: &'static [Answer],
    /// How it refuses, beside what [`Operation::implied`] adds.
    #[serde(serialize_with = "names")]
    pub problems: &'static [Problem],
}

impl Operation {
    /// A row with nothing optional in it, for `..Operation::BLANK`.
    pub const BLANK: Self = Self {
        id: "",
        method: Verb::Get,
        path: "",
        summary: "",
        tag: "",
        access: Access::Public,
        query: &[],
        headers: &[],
        waits: None,
        body: None,
        answers: &[],
        problems: &[],
    };

    /// The problems that follow from the row itself.
    pub fn implied(&self) -> Vec<Problem> {
        let mut implied = vec![Problem::InvalidQuery, Problem::Unauthenticated, Problem::ForeignHost];
        if self.access != Access::Public {
            implied.push(Problem::Forbidden);
        }
        if let Some(body) = &self.body {
            implied.push(Problem::WrongContentType);
            // A body of lines may be limited by the line instead; its row says so itself.
            if body.media == Body::JSON {
                implied.extend([
                    Problem::TooLarge,
                    Problem::MalformedJson,
                    Problem::DuplicateKey,
                    Problem::NulCharacter,
                    Problem::TooDeep,
                ]);
            }
        }
        implied.extend(self.waits.iter().flat_map(|waits| waits.problems).copied());
        if self.path.contains('{') {
            implied.push(Problem::InvalidId);
        }
        implied
    }

    /// Every problem, each once.
    pub fn all_problems(&self) -> Vec<Problem> {
        let mut all = self.implied();
        all.extend(self.problems.iter().copied().filter(|problem| !self.implied().contains(problem)));
        all
    }

    /// The names of the path's parameters, in order.
    pub fn path_parameters(&self) -> Vec<&'static str> {
        let parts = self.path.split('{').skip(1);
        parts.filter_map(|part| part.split_once('}')).map(|(name, _)| name.split(':').next().unwrap_or(name)).collect()
    }
}

fn names<S: serde::Serializer>(problems: &&'static [Problem], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(problems.iter().map(|problem| problem.name()))
}

#[cfg(test)]
mod tests {
    use super::{Access, Operation};
    use worker_types::Problem;

    #[test]
    fn a_row_says_itself_what_may_go_wrong() {
        let row = Operation { path: "/a/{one}/{two:.*}", access: Access::Scope("s"), ..Operation::BLANK };
        assert_eq!(row.path_parameters(), ["one", "two"]);
        assert!(row.implied().contains(&Problem::Forbidden));
        assert!(row.implied().contains(&Problem::InvalidId));
        assert!(!Operation::BLANK.implied().contains(&Problem::Forbidden));
    }
}
