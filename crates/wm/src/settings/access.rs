//! `[access]`: the tokens that a server knows, and what callers without one may do.

use super::SettingsError;
use super::file::{SettingsFile, normalised};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use worker_types::closest;

/// Who may do what on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The tokens that are known.
    pub tokens: Vec<Token>,
    /// What callers without a token may do; the server's own default when none is given.
    pub anonymous_scopes: Option<Vec<String>>,
}

/// A token, of which only the hash is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The name by which the history calls its bearer.
    pub name: String,
    /// SHA-256 of the token, as 64 hex digits.
    pub sha256: String,
    /// What it may do.
    pub scopes: Vec<String>,
}

type Members<'a> = DeTable<'a>;

pub(super) fn read(file: &SettingsFile, members: &Members<'_>) -> Result<Access, SettingsError> {
    let reader = Reader { file };
    reader.known(members, &["tokens", "anonymous_scopes"])?;
    let mut access = Access::default();
    if let Some(value) = field(members, "anonymous-scopes") {
        access.anonymous_scopes = Some(reader.texts(value, "anonymous_scopes")?);
    }
    if let Some(value) = field(members, "tokens") {
        let DeValue::Array(entries) = value.get_ref() else {
            return Err(file.wrong(value.span(), "tokens is a list of {name, sha256, scopes}"));
        };
        for entry in entries {
            let token = reader.token(entry)?;
            if access.tokens.iter().any(|other| other.name == token.name) {
                return Err(file.wrong(entry.span(), format!("two tokens are called {:?}", token.name)));
            }
            access.tokens.push(token);
        }
    }
    Ok(access)
}

fn field<'a, 't>(members: &'a Members<'t>, name: &str) -> Option<&'a Spanned<DeValue<'t>>> {
    members.iter().find(|(key, _)| normalised(key.get_ref()) == name).map(|(_, value)| value)
}

struct Reader<'a> {
    file: &'a SettingsFile,
}

impl Reader<'_> {
    fn token(&self, entry: &Spanned<DeValue<'_>>) -> Result<Token, SettingsError> {
        let DeValue::Table(members) = entry.get_ref() else {
            return Err(self.file.wrong(entry.span(), "a token is {name = …, sha256 = …, scopes = […]}"));
        };
        self.known(members, &["name", "sha256", "scopes"])?;
        let required = |name: &str| {
            field(members, name).ok_or_else(|| self.file.wrong(entry.span(), format!("this token has no {name}")))
        };
        let name = self.text(required("name")?, "name")?;
        if name.trim().is_empty() {
            return Err(self.file.wrong(required("name")?.span(), "a token's name must not be blank"));
        }
        let hash = required("sha256")?;
        let sha256 = self.text(hash, "sha256")?.to_ascii_lowercase();
        if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self
                .file
                .wrong(hash.span(), "sha256 is 64 hex digits; `wm token` prints a token with its entry"));
        }
        Ok(Token { name, sha256, scopes: self.texts(required("scopes")?, "scopes")? })
    }

    fn known(&self, members: &Members<'_>, known: &[&str]) -> Result<(), SettingsError> {
        let is_known = |key: &str| known.iter().any(|name| normalised(name) == normalised(key));
        match members.keys().find(|key| !is_known(key.get_ref())) {
            None => Ok(()),
            Some(key) => {
                let meant = closest(key.get_ref(), known.iter().copied());
                let hint = meant.map_or_else(
                    || format!("known are {}", known.join(", ")),
                    |name| format!("did you mean {name:?}?"),
                );
                Err(self.file.wrong(key.span(), format!("unknown key {:?}; {hint}", key.get_ref())))
            }
        }
    }

    fn text(&self, value: &Spanned<DeValue<'_>>, name: &str) -> Result<String, SettingsError> {
        self.text_at(value.get_ref(), value.span(), name)
    }

    fn text_at(&self, value: &DeValue<'_>, span: Range<usize>, name: &str) -> Result<String, SettingsError> {
        value.as_str().map(str::to_owned).ok_or_else(|| self.file.wrong(span, format!("{name} must be text")))
    }

    fn texts(&self, value: &Spanned<DeValue<'_>>, name: &str) -> Result<Vec<String>, SettingsError> {
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.file.wrong(value.span(), format!("{name} is a list of text")));
        };
        items.iter().map(|item| self.text(item, name)).collect()
    }
}
