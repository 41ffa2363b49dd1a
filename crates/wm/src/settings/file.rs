//! The file itself: TOML, whose keys keep their places.

use super::SettingsError;
use super::access::{self, Access};
use crate::documents::{DocumentError, Place};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A settings file that was read.
#[derive(Debug)]
pub struct SettingsFile {
    name: String,
    text: String,
    /// Settings for every subcommand that knows them.
    pub(super) everywhere: BTreeMap<String, Entry>,
    /// Settings for one subcommand, by its name.
    pub(super) sections: BTreeMap<String, (Range<usize>, BTreeMap<String, Entry>)>,
    access: Option<Access>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Range<usize>,
    pub(super) value: Range<usize>,
    pub(super) given: Given,
}

/// A value as an argument takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Flag(bool),
    Text(String),
    Texts(Vec<String>),
}

impl SettingsFile {
    /// Reads `bytes`. `name` is what messages call the file.
    ///
    /// # Errors
    /// It is no TOML, or a value is of no kind that a setting has.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, SettingsError> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut file =
            Self { name: name.to_owned(), text, everywhere: BTreeMap::new(), sections: BTreeMap::new(), access: None };
        let text = file.text.clone();
        let table = DeTable::parse(&text)
            .map_err(|error| file.wrong(error.span().unwrap_or_default(), error.message().replace('\n', "; ")))?;
        for (key, value) in table.into_inner() {
            let name = normalised(key.get_ref());
            match value.get_ref() {
                DeValue::Table(members) if name == "access" => file.access = Some(access::read(&file, members)?),
                DeValue::Table(members) => {
                    let entries = file.entries(members)?;
                    file.sections.insert(name, (key.span(), entries));
                }
                _ => {
                    let entry = file.entry(key.span(), &value)?;
                    file.everywhere.insert(name, entry);
                }
            }
        }
        Ok(file)
    }

    /// Who may do what; none when the file does not say.
    pub fn access(&self) -> Option<&Access> {
        self.access.as_ref()
    }

    fn entries(&self, members: &DeTable<'_>) -> Result<BTreeMap<String, Entry>, SettingsError> {
        let entry = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            Ok((normalised(key.get_ref()), self.entry(key.span(), value)?))
        };
        members.iter().map(entry).collect()
    }

    fn entry(&self, key: Range<usize>, value: &Spanned<DeValue<'_>>) -> Result<Entry, SettingsError> {
        let given = match value.get_ref() {
            DeValue::Boolean(flag) => Given::Flag(*flag),
            DeValue::Array(items) => {
                let text = |item: &Spanned<DeValue<'_>>| {
                    text_of(item.get_ref())
                        .ok_or_else(|| self.wrong(item.span(), "a list of settings holds text and numbers"))
                };
                Given::Texts(items.iter().map(text).collect::<Result<_, _>>()?)
            }
            other => Given::Text(
                text_of(other)
                    .ok_or_else(|| self.wrong(value.span(), "a setting is text, a number, true, false or a list"))?,
            ),
        };
        Ok(Entry { key, value: value.span(), given })
    }

    /// The error for what stands at `span`.
    pub(super) fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> SettingsError {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
        let from_one = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let place = Place { line: from_one(line), column: from_one(column) };
        SettingsError::Wrong(DocumentError { file: self.name.clone(), place, message: message.into() })
    }
}

/// Text and numbers as a flag would have them.
fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        _ => None,
    }
}

/// `database_url` is `database-url`.
pub(super) fn normalised(key: &str) -> String {
    key.replace('_', "-")
}
