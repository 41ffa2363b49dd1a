use super::SettingsFile;
use super::access::{Access, Token};
use crate::cli::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};

fn file(text: &str) -> SettingsFile {
    SettingsFile::parse("wm.toml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The arguments as `wm` has them with this file.
fn cli(text: &str, arguments: &[&str]) -> Cli {
    let command = file(text).defaults_for(Cli::command()).unwrap_or_else(|error| panic!("{error}"));
    let matches = command.try_get_matches_from([&["wm"], arguments].concat()).unwrap_or_else(|error| panic!("{error}"));
    Cli::from_arg_matches(&matches).unwrap()
}

fn refusal(text: &str) -> String {
    let refused = SettingsFile::parse("wm.toml", text.as_bytes()).and_then(|file| file.defaults_for(Cli::command()));
    refused.expect_err(text).to_string()
}

#[test]
fn a_section_counts_before_the_top_and_a_flag_before_both() {
    let text = "listen = \"127.0.0.1:1\"\n[serve]\nlisten = \"127.0.0.1:2\"\ndatabase_url = \"sqlite://a\"\nwith = [\"queue\"]\nevent-days = 3\n";
    let Command::Serve(serve) = cli(text, &["serve"]).command else { panic!() };
    assert_eq!(serve.server.listen, "127.0.0.1:2");
    assert_eq!((serve.database_url.as_str(), serve.registry.event_days, serve.roles.with.len()), ("sqlite://a", 3, 1));
    let Command::Serve(serve) = cli(text, &["serve", "--listen", "127.0.0.1:3"]).command else { panic!() };
    assert_eq!(serve.server.listen, "127.0.0.1:3");
    let Command::Dev(dev) = cli(text, &["dev"]).command else { panic!() };
    assert_eq!(dev.server.listen, "127.0.0.1:1");
}

#[test]
fn settings_of_clients_stand_at_the_top() {
    let text = "url = \"https://ci.example.com\"\ntoken-file = \"token\"\noutput = \"json\"\n";
    let cli = cli(text, &["release", "list"]);
    assert_eq!(cli.output, crate::Output::Json);
    let Command::Release(release) = cli.command else { panic!() };
    let crate::cli::ReleaseCommand::List(list) = release.command else { panic!() };
    assert_eq!(list.server.url, "https://ci.example.com");
    assert_eq!(list.server.credentials.token_file.unwrap().to_str(), Some("token"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let refusals = [
        "listen = \"127.0.0.1:1\"\ndatabse-url = \"x\"\n",
        "[serv]\nlisten = \"127.0.0.1:1\"\n",
        "[queue]\ndata-dir = \"x\"\n",
        "[serve]\nlisten = [\"127.0.0.1:1\"]\n",
        "[serve]\nevent-days = \"many\"\n",
        "[queue]\nmax-validation = \"strict\"\n",
        "output = \"yaml\"\n",
        "[serve]\nlisten = { port = 1 }\n",
        "token = \"secret\"\n",
        "listen = \n",
        "[access]\nanonymus_scopes = []\n",
        "[access]\ntokens = [{name = \"ci\", sha256 = \"x\", scopes = []}]\n",
        "[[access.tokens]]\nname = \"ci\"\nscopes = [\"*\"]\n",
        "[[access.tokens]]\nname = \"ci\"\nscopes = \"*\"\nsha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"\n",
    ]
    .map(refusal);
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn access_names_tokens_by_their_hash() {
    let hash = "0f".repeat(32);
    let text = format!(
        "[access]\nanonymous_scopes = [\"a\"]\ntokens = [{{name = \"ci\", sha256 = \"{}\", scopes = [\"b\", \"c*\"]}}]\n",
        hash.to_uppercase()
    );
    let expected = Access {
        tokens: vec![Token { name: "ci".to_owned(), sha256: hash, scopes: vec!["b".to_owned(), "c*".to_owned()] }],
        anonymous_scopes: Some(vec!["a".to_owned()]),
    };
    assert_eq!(file(&text).access(), Some(&expected));
    assert_eq!(file("").access(), None);
    assert_eq!(file("[access]\n").access(), Some(&Access::default()));
}

#[test]
fn every_argument_is_well_formed() {
    Cli::command().debug_assert();
}

/// Their rules cannot be held against a value alone, as the file's values are.
#[test]
fn no_setting_depends_on_another_argument() {
    for command in Cli::command().get_subcommands() {
        for setting in super::settings_of(command) {
            let alone = clap::Command::new("alone").arg(setting.arg.clone().required(false).global(false));
            alone.debug_assert();
        }
    }
}
