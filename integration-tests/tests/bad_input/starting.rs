//! Servers that cannot start say which setting is wrong, and what to do.

use integration_tests::server::{scratch, wm};

/// How `wm` ends with these arguments, and what it says.
fn ends(arguments: &[&str], settings: &str) -> (Option<i32>, String) {
    let folder = scratch();
    if !settings.is_empty() {
        std::fs::write(folder.path().join("wm.toml"), settings).unwrap();
    }
    let output = wm(arguments).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_database_that_is_away_at_start_is_named_with_its_setting_and_what_to_do() {
    let nobody = "postgres://user:secret@127.0.0.1:9/registry";
    let (status, said) = ends(&["serve", "--listen", "127.0.0.1:0", "--database-url", nobody], "");
    assert_eq!(status, Some(5), "{said}");
    for words in ["--database-url", "WM_DATABASE_URL", "127.0.0.1", "Start the server, or check host and port"] {
        assert!(said.contains(words), "no {words:?} in {said}");
    }
    assert!(!said.contains("secret"), "a password stays where it is: {said}");
    let (status, said) =
        ends(&["serve", "--listen", "127.0.0.1:0", "--database-url", "sqlite:///nowhere/at/all.sqlite"], "");
    assert!(matches!(status, Some(2 | 5)) && said.contains("--database-url"), "{status:?} {said}");
    let queue = ["queue", "--listen", "127.0.0.1:0", "--worker-manager-url", "http://127.0.0.1:9", "--database-url"];
    let (status, said) = ends(&[&queue[..], &[nobody]].concat(), "");
    assert_eq!(status, Some(5), "{said}");
    assert!(said.contains("--database-url"), "{said}");
}

#[test]
fn settings_that_are_wrong_are_named_at_their_line_and_column() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("[serve]\ndatabase_ulr = \"sqlite://x\"\n", "wm.toml:2:1", &["did you mean", "database"]),
        ("[serve\n", "wm.toml:1:", &[]),
        (
            "[access]\n[[access.tokens]]\nname = \"ci\"\nsha256 = \"short\"\nscopes = []\n",
            "wm.toml:4:10",
            &["64 hex digits", "wm token"],
        ),
    ];
    for (settings, place, words) in cases {
        let (status, said) =
            ends(&["serve", "--listen", "127.0.0.1:0", "--database-url", "sqlite://x.sqlite"], settings);
        assert_eq!(status, Some(2), "{settings:?}: {said}");
        assert!(said.contains(place), "no {place} in {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{words:?} in {said}");
    }
}

#[test]
fn a_server_for_everybody_needs_access_to_be_configured() {
    let (status, said) = ends(&["serve", "--listen", "0.0.0.0:0", "--database-url", "sqlite://x.sqlite"], "");
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("--listen") || said.contains("access"), "{said}");
}
