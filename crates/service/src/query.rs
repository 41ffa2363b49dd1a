//! The query of a request: parameters that the operation does not have, or that stand twice, are refused, so that a
//! misspelt one is never ignored.

use crate::ids::percent_decode;
use crate::{Kind, Parameter, Refusal};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use std::future::{Ready, ready};
use std::str::FromStr;
use worker_types::{Item, Problem, closest};

/// The query, read into a type.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

/// A type that a query is read into. Its fields are those that the operation's row lists.
pub trait QueryFields: Sized + 'static {
    /// Every parameter.
    const FIELDS: &'static [Parameter];

    /// Reads them.
    ///
    /// # Errors
    /// A value that the parameter cannot have.
    fn read(values: &QueryValues) -> Result<Self, Refusal>;
}

impl<T: QueryFields> FromRequest for Query<T> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(QueryValues::parse(request.query_string(), T::FIELDS).and_then(|values| T::read(&values)).map(Self))
    }
}

/// The values of the known parameters.
#[derive(Debug, Default)]
pub struct QueryValues(Vec<(&'static str, String)>);

impl QueryValues {
    /// Splits a query string (the form of application/x-www-form-urlencoded).
    ///
    /// # Errors
    /// A parameter that is not among `fields`, that stands twice, has a value of another kind, or is missing.
    pub fn parse(query: &str, fields: &'static [Parameter]) -> Result<Self, Refusal> {
        let mut values: Vec<(&'static str, String)> = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decoded(name)?;
            let field = fields.iter().find(|field| field.name == name).ok_or_else(|| unknown(&name, fields))?;
            if values.iter().any(|(known, _)| *known == field.name) {
                return Err(refuse(&name, format!("the query parameter {name} stands twice; give it once")));
            }
            let value = decoded(value)?;
            check_kind(field, &value)?;
            values.push((field.name, value));
        }
        for field in fields.iter().filter(|field| field.required) {
            if !values.iter().any(|(name, _)| *name == field.name) {
                let detail = format!("the query parameter {} is missing: {}", field.name, field.description);
                return Err(refuse(field.name, detail));
            }
        }
        Ok(Self(values))
    }

    /// The text of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The text of a parameter, owned.
    pub fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// Whether a flag is given and not `false`.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name).is_some_and(|value| value != "false")
    }

    /// A parameter as another type.
    ///
    /// # Errors
    /// The text is none of its values.
    pub fn parsed<T>(&self, name: &str) -> Result<Option<T>, Refusal>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        let parse = |text: &str| {
            text.parse().map_err(|error: T::Err| refuse(name, format!("the query parameter {name}: {error}")))
        };
        self.text(name).map(parse).transpose()
    }
}

fn check_kind(field: &Parameter, value: &str) -> Result<(), Refusal> {
    let (fits, wanted) = match field.kind {
        Kind::Text => (!value.contains('\0'), "text without U+0000".to_owned()),
        Kind::Line(most) => {
            let fits = value.chars().count() <= most && !value.chars().any(char::is_control);
            (fits, format!("one line of at most {most} characters"))
        }
        Kind::Flag => (matches!(value, "" | "true" | "false"), "true or false".to_owned()),
        Kind::Integer(least, most) => {
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let fits = digits && value.parse::<u64>().is_ok_and(|number| (least..=most).contains(&number));
            (fits, format!("an integer from {least} to {most}"))
        }
        Kind::OneOf(words) => (words.contains(&value), words.join(" or ")),
    };
    if fits {
        return Ok(());
    }
    let shown: String = value.chars().take(100).collect();
    Err(refuse(field.name, format!("the query parameter {} is {shown:?}; it must be {wanted}", field.name)))
}

fn decoded(text: &str) -> Result<String, Refusal> {
    let spaced = text.replace('+', " ");
    percent_decode(&spaced).ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        Refusal::new(Problem::InvalidQuery, format!("the query has {shown:?}, which is not percent-encoded UTF-8"))
    })
}

fn unknown(name: &str, fields: &'static [Parameter]) -> Refusal {
    let known = || fields.iter().map(|field| field.name);
    let meant = closest(name, known());
    let hint = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
    let names: Vec<&str> = known().collect();
    let has = if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
    let shown: String = name.chars().take(100).collect();
    let detail = format!("there is no query parameter {shown:?} here{hint} ({has})");
    let item = Item::new("unknown-parameter", "", detail.clone()).suggest(meant);
    Refusal::new(Problem::InvalidQuery, detail).errors([item])
}

fn refuse(name: &str, detail: String) -> Refusal {
    let item = Item::new("invalid-value", "", detail.clone()).contrast(name, "");
    Refusal::new(Problem::InvalidQuery, detail).errors([item])
}

#[cfg(test)]
mod tests {
    use super::QueryValues;
    use crate::{Kind, Parameter};

    const FIELDS: &[Parameter] = &[
        Parameter::optional("message", Kind::Text, "why"),
        Parameter::optional("title", Kind::Line(5), "in short"),
        Parameter::optional("dryRun", Kind::Flag, "store nothing"),
        Parameter::optional("limit", Kind::Integer(1, 1000), "entries"),
        Parameter::optional("rollout", Kind::OneOf(&["replace"]), "what to do with an open one"),
    ];

    fn refused(query: &str) -> String {
        QueryValues::parse(query, FIELDS).unwrap_err().detail().to_owned()
    }

    #[test]
    fn values_are_decoded() {
        let values = QueryValues::parse("message=a+b%26c&dryRun&limit=10", FIELDS).unwrap();
        assert_eq!(values.text("message"), Some("a b&c"));
        assert!(values.flag("dryRun"));
        assert_eq!(values.parsed::<u32>("limit").unwrap(), Some(10));
        assert_eq!(values.text("rollout"), None);
    }

    #[test]
    fn what_is_unknown_or_repeated_or_of_another_kind_is_refused() {
        assert!(refused("dryrun=true").contains("did you mean dryRun?"));
        assert!(refused("zzz").contains("it has message, title, dryRun, limit, rollout"));
        assert!(refused("limit=1&limit=2").contains("stands twice"));
        assert!(refused("dryRun=yes").contains("true or false"));
        for bad in ["limit=0", "limit=1001", "limit=", "limit=+1", "limit=1e3", "limit=99999999999999999999"] {
            assert!(refused(bad).contains("an integer from 1 to 1000"), "{bad}");
        }
        assert!(refused("rollout=keep").contains("it must be replace"));
        assert!(refused("message=%00").contains("U+0000"));
        assert!(refused("message=%ff").contains("UTF-8"));
        assert!(refused("title=a%0Ab").contains("one line of at most 5 characters"));
        assert!(refused("title=123456").contains("one line of at most 5 characters"));
    }

    #[test]
    fn what_is_required_must_be_there() {
        const REQUIRED: &[Parameter] = &[Parameter::required("from", Kind::Integer(1, 9), "the older revision")];
        let refusal = QueryValues::parse("", REQUIRED).unwrap_err();
        assert_eq!(refusal.detail(), "the query parameter from is missing: the older revision");
    }
}
