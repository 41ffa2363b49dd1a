//! Rollouts through files: what opens one, what it keeps out, and how it is seen and ended.

use crate::given::{Server, wm_in};
use std::fs;
use std::path::Path;

fn define(folder: &Path, property: &str, more: &str) {
    let path = folder.join("worker-types/p");
    fs::create_dir_all(&path).expect("there is room");
    let schema = format!(
        "{{$schema: \"https://json-schema.org/draft/2020-12/schema\", type: object, required: [{property}], \
         additionalProperties: false, properties: {{{property}: {{type: string}}}}}}"
    );
    let text = format!("description: A\n{more}variants:\n  - name: default\n    payloadSchema: {schema}\n");
    fs::write(path.join("w.yml"), text).expect("there is room");
}

#[test]
fn a_rollout_is_opened_seen_and_kept_from_other_changes() {
    let (server, folder) = (Server::empty(), tempfile::tempdir().unwrap());
    let said = |arguments: &[&str]| wm_in(folder.path(), &[arguments, &["--url", &server.url]].concat());
    define(folder.path(), "a", "");
    assert_eq!(said(&["apply", "."]).status, 0);
    assert!(said(&["rollout", "list"]).err.contains("No rollout is open."));
    let lenient = "rollout: {policy: lenient}\n";
    define(folder.path(), "b", lenient);
    let opened = said(&["apply", "."]);
    assert!(
        opened.out.ends_with("published p/w, revision 2, beside revision 1: a lenient rollout is open\n"),
        "{opened:?}"
    );
    assert_eq!(said(&["rollout", "list"]).out, "p/w  1 → 2  lenient  completes when somebody completes it\n");
    let listed = said(&["list"]);
    assert!(listed.out.contains("[rollout 1 → 2] A"), "{listed:?}");
    // What is live is no change.
    for command in ["check", "apply"] {
        let same = said(&[command, "."]);
        assert_eq!(same.status, 0, "{same:?}");
    }

    define(folder.path(), "c", lenient);
    for command in ["check", "apply"] {
        let kept_out = said(&[command, "."]);
        assert_eq!(kept_out.status, 1, "{kept_out:?}");
        assert!(kept_out.out.contains("--replace-rollout"), "{kept_out:?}");
    }
    assert!(said(&["check", "."]).out.starts_with("refused p/w\n"));
    let replacing = said(&["check", ".", "--replace-rollout"]);
    assert!(!replacing.out.starts_with("refused"), "{replacing:?}");
    let replaced = said(&["apply", ".", "--replace-rollout"]);
    assert!(replaced.out.contains("revision 3, beside revision 1"), "{replaced:?}");
    let completed = said(&["rollout", "complete", "p/w", "--message", "all moved"]);
    assert!(completed.out.contains("completed: revision 3 is live alone"), "{completed:?}");
    assert_eq!(
        said(&["rollout", "list", "--output", "json"]).out.split_whitespace().collect::<String>(),
        r#"{"rollouts":[]}"#
    );
}

#[test]
fn check_and_apply_say_the_same_of_a_rollout_that_breaks_when_it_ends_by_itself() {
    let (server, folder) = (Server::empty(), tempfile::tempdir().unwrap());
    let said = |arguments: &[&str]| wm_in(folder.path(), &[arguments, &["--url", &server.url]].concat());
    define(folder.path(), "a", "compatibility: require\n");
    assert_eq!(said(&["apply", "."]).status, 0);
    define(folder.path(), "b", "compatibility: require\nrollout: {policy: lenient, completeAfter: 1h}\n");
    for command in ["check", "apply"] {
        let refused = said(&[command, "."]);
        assert_eq!(refused.status, 1, "{refused:?}");
        assert!(refused.out.contains("w.yml:3:43: "), "the place of completeAfter: {refused:?}");
        assert!(
            refused.out.contains("    compatible for tasks of revision 1\n    breaking once the rollout has ended\n"),
            "{refused:?}"
        );
        assert!(!refused.out.contains("refused now, accepted before"), "{refused:?}");
    }
    assert!(said(&["apply", "."]).out.contains("leave out completeAfter"));
    let allowed = said(&["apply", ".", "--allow-breaking", "--message", "why"]);
    assert!(
        allowed.out.contains("revision 2, beside revision 1: a lenient rollout is open, which completes at 20"),
        "{allowed:?}"
    );
    // It is live now: nothing is published, and nothing refused.
    for command in ["check", "apply"] {
        let same = said(&[command, "."]);
        assert_eq!(same.status, 0, "{same:?}");
    }
    let mut gone = String::new();
    for more in ["", "rollout: {policy: lenient, completeAfter: 2h}\n"] {
        define(folder.path(), "c", more);
        gone =
            said(&["apply", ".", "--replace-rollout", "--allow-breaking", "--message", "why", "--output", "json"]).out;
        let document: serde_json::Value = serde_json::from_str(&gone).expect("it is JSON");
        let opened = &document["changes"][0]["rollout"]["policy"];
        assert_eq!(opened.as_str(), (!more.is_empty()).then_some("lenient"), "{document}");
    }
    assert!(gone.contains("completesAt"), "{gone}");
}
