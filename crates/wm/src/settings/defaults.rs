//! From the file to the arguments: each value is held against its argument, then becomes its default.

use super::SettingsError;
use super::file::{Entry, Given, SettingsFile};
use super::keys::{is_setting, settings_of};
use clap::{Arg, ArgAction, Command};
use std::collections::BTreeSet;
use worker_types::closest;

impl SettingsFile {
    /// `command` and its subcommands, with the file's values as defaults.
    ///
    /// # Errors
    /// A key that no argument has, or a value that its argument refuses.
    pub fn defaults_for(&self, command: Command) -> Result<Command, SettingsError> {
        self.check_keys(&command)?;
        let mut error = None;
        let mut set = |section: Option<&str>, arg: Arg| match self.default_for(section, arg.clone()) {
            Ok(arg) => arg,
            Err(found) => {
                error.get_or_insert(found);
                arg
            }
        };
        let command = command.mut_args(|arg| set(None, arg)).mut_subcommands(|command| {
            let name = command.get_name().to_owned();
            command
                .mut_args(|arg| set(Some(&name), arg))
                .mut_subcommands(|below| below.mut_args(|arg| set(Some(&name), arg)))
        });
        error.map_or(Ok(command), Err)
    }

    fn check_keys(&self, command: &Command) -> Result<(), SettingsError> {
        let everywhere: BTreeSet<&str> = keys_below(command).collect();
        let sections: Vec<&str> = command.get_subcommands().map(Command::get_name).chain(["access"]).collect();
        for (key, entry) in &self.everywhere {
            if !everywhere.contains(key.as_str()) {
                return Err(self.unknown(key, entry.key.clone(), everywhere.iter().copied(), "setting"));
            }
        }
        for (name, (at, entries)) in &self.sections {
            let Some(of_section) = command.find_subcommand(name) else {
                return Err(self.unknown(name, at.clone(), sections.iter().copied(), "section"));
            };
            let known: BTreeSet<&str> = keys_below(of_section).collect();
            for (key, entry) in entries {
                if !known.contains(key.as_str()) {
                    return Err(self.unknown(
                        key,
                        entry.key.clone(),
                        known.iter().copied(),
                        &format!("setting of wm {name}"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn unknown<'a>(
        &self,
        key: &str,
        at: std::ops::Range<usize>,
        known: impl Iterator<Item = &'a str> + Clone,
        what: &str,
    ) -> SettingsError {
        let hint = match closest(key, known.clone()) {
            Some(meant) => format!("did you mean {meant:?}?"),
            None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.wrong(at, format!("{key:?} is not a {what}; {hint}"))
    }

    fn default_for(&self, section: Option<&str>, arg: Arg) -> Result<Arg, SettingsError> {
        let Some(key) = arg.get_long().filter(|_| is_setting(&arg)) else { return Ok(arg) };
        let of_section = section.and_then(|name| self.sections.get(name)?.1.get(key));
        match of_section.or_else(|| self.everywhere.get(key)) {
            Some(entry) => self.with_default(arg, entry),
            None => Ok(arg),
        }
    }

    fn with_default(&self, arg: Arg, entry: &Entry) -> Result<Arg, SettingsError> {
        let key = arg.get_long().unwrap_or_default().to_owned();
        let wrong = |message: String| self.wrong(entry.value.clone(), message);
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let is_list = matches!(arg.get_action(), ArgAction::Append);
        let values = match &entry.given {
            Given::Flag(flag) if is_flag => return Ok(arg.default_value(if *flag { "true" } else { "false" })),
            _ if is_flag => return Err(wrong(format!("{key} is true or false"))),
            Given::Flag(flag) => vec![flag.to_string()],
            Given::Text(text) => vec![text.clone()],
            Given::Texts(texts) if is_list => texts.clone(),
            Given::Texts(_) => return Err(wrong(format!("{key} takes one value"))),
        };
        for value in &values {
            check(&arg, &key, value).map_err(wrong)?;
        }
        Ok(arg.required(false).default_values(values))
    }
}

/// The keys of `command` and what is below it.
fn keys_below(command: &Command) -> impl Iterator<Item = &str> {
    let below = command.get_subcommands().flat_map(|command| {
        settings_of(command).chain(command.get_subcommands().flat_map(settings_of)).map(|setting| setting.key)
    });
    settings_of(command).map(|setting| setting.key).chain(below)
}

/// Holds one value against the argument, by clap's own rules.
fn check(arg: &Arg, key: &str, value: &str) -> Result<(), String> {
    let alone = Command::new("settings").no_binary_name(true).arg(arg.clone().required(false).global(false));
    match alone.try_get_matches_from([format!("--{key}={value}")]) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let lines = text.lines().take_while(|line| !line.starts_with("For more information"));
            let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            Err(words.join(" ").trim_start_matches("error: ").to_owned())
        }
    }
}
