//! `docs/reference/configuration.md`.

use super::{choices, defaults, words};
use crate::cli::Cli;
use crate::settings::settings_of;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;

const HEAD: &str = "# Configuration

<!-- Generated from crates/wm/src/cli.rs: UPDATE_GOLDEN=1 cargo test -p wm -->

A setting comes from its flag, else from its `WM_…` variable, else from the file, else it has its default. `wm` reads the file that `--config` or
`WM_CONFIG` names, else `./wm.toml` if there is one. Keys are the flags' names. A key at the top of the file counts for every subcommand that knows it; a
section with the subcommand's name counts for that one alone, and before the top. Unknown keys are refused with their line. Paths are relative to the folder in which `wm` runs.

```toml
url = \"https://ci.example.com\"        # for wm list, validate, apply …

[serve]
listen = \"0.0.0.0:8080\"
database-url = \"postgres://wm@db.example.com/worker_manager\"
event-days = 14

[access]
# What callers without a token may do; a token adds to it. Left out, it is this, and to read a queue's tasks.
anonymous_scopes = [\"worker-manager:list\", \"worker-manager:get:*\", \"worker-manager:get-release:*\", \"worker-manager:validate:*\",
  \"worker-manager:check:*\", \"worker-manager:events\", \"worker-manager:status\"]

[[access.tokens]]                     # `wm token` makes a token and prints its entry
name = \"ci\"
sha256 = \"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b\"
scopes = [\"worker-manager:publish:proj-a/*\"]
```

Secrets do not stand in the file. A token comes from the variable `WM_TOKEN` or from the file that `token-file` names, a database's password from `WM_DATABASE_URL` or from
PostgreSQL's own places (`~/.pgpass`, `PGPASSWORD`). Mind that a `wm.toml` in the folder where you work says where `WM_TOKEN` is sent.
";

const ACCESS: &str = "
## [access]

Who may do what on a server (`wm dev`, `wm serve`, `wm queue`). Without it the server listens on loopback only, lets everyone there do everything, and refuses requests whose
`Host` or `Origin` is another's. Each route's scope stands in the [API reference](api.md); a `*` at the end of a scope stands for every ending.

| key | what |
|---|---|
| `anonymous_scopes` | what callers without a token may do: a list of scopes. Reading, validating and the status, but neither pool configurations nor names of hosts nor the export, unless given |
| `tokens` | the tokens that the server knows: a list of tables with the three keys below |
| `tokens[].name` | by which the history calls whoever uses it; each is given once |
| `tokens[].sha256` | SHA-256 of the token, as 64 hex digits; the token itself is nowhere on the server |
| `tokens[].scopes` | what it may do: a list of scopes |
";

/// Which servers and commands know a setting, and the setting itself.
struct Known<'a> {
    key: &'a str,
    arg: &'a Arg,
    commands: Vec<String>,
}

/// The page.
pub fn page() -> String {
    let mut command = Cli::command();
    command.build();
    let mut page = HEAD.to_owned();
    page.push_str("\n## Settings\n\n| key | variable | default | what | of |\n|---|---|---|---|---|\n");
    for known in all(&command) {
        let variable = known.arg.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let choices = choices(known.arg).map(|choices| format!(" One of {choices}.")).unwrap_or_default();
        let what = words(known.arg.get_help());
        let stop = if what.ends_with(['.', '?']) { "" } else { "." };
        let of = known.commands.join(", ");
        let _ = writeln!(
            page,
            "| `{}` | `{variable}` | {} | {what}{stop}{choices} | {of} |",
            known.key,
            defaults(known.arg)
        );
    }
    page.push_str("\nVariables that have no key: `WM_CONFIG` (the file itself) and `WM_TOKEN` (the token to send).\n");
    page.push_str(ACCESS);
    page
}

/// Every setting once, in the order of its key.
fn all(command: &Command) -> Vec<Known<'_>> {
    let mut all: Vec<Known<'_>> = Vec::new();
    let mut add = |command_name: String, command| {
        for setting in settings_of(command) {
            let is_global = setting.arg.is_global_set();
            let name = if is_global { "all".to_owned() } else { command_name.clone() };
            match all.iter_mut().find(|known| known.key == setting.key) {
                Some(known) if known.commands.contains(&name) => {}
                Some(known) => known.commands.push(name),
                None => all.push(Known { key: setting.key, arg: setting.arg, commands: vec![name] }),
            }
        }
    };
    for below in command.get_subcommands() {
        add(below.get_name().to_owned(), below);
        for deeper in below.get_subcommands() {
            add(format!("{} {}", below.get_name(), deeper.get_name()), deeper);
        }
    }
    all.sort_by_key(|known| known.key);
    all
}
