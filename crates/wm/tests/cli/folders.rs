//! `wm diff`, `wm check`, `wm apply` and `wm release publish` on folders, against a real server.

use crate::given::{Server, copy_of_examples, edit, examples, wm_in};
use std::fs;

#[test]
fn a_folder_that_is_live_is_the_same() {
    let said = examples().wm(&["diff", "examples"]);
    assert_eq!(said.status, 0, "{said:?}");
    insta::assert_snapshot!("diff-same", said.out);
}

#[test]
fn a_folder_is_planned_published_and_then_the_same() {
    let (server, folder) = (Server::empty(), copy_of_examples());
    let planned = server.wm_in(folder.path(), &["apply", ".", "--dry-run"]);
    assert_eq!(planned.status, 0, "{planned:?}");
    insta::assert_snapshot!("apply-dry-run", planned.out);
    assert_eq!(server.wm(&["list"]).out, "");

    let applied = server.wm_in(folder.path(), &["apply", ".", "--message", "all of it"]);
    assert_eq!(applied.status, 0, "{applied:?}");
    insta::assert_snapshot!("apply-all", applied.out);
    assert_eq!(server.wm_in(folder.path(), &["diff", "."]).status, 0);
    let again = server.wm_in(folder.path(), &["apply", "."]);
    assert!(again.out.ends_with("0 to create, 0 to change, 8 the same\n"), "{again:?}");

    edit(&folder.path().join("worker-types/ops/website-deploy.yml"), "tags: [deployment]", "tags: [deployment, web]");
    fs::remove_file(folder.path().join("worker-types/desktop/windows.yml")).unwrap();
    fs::remove_file(folder.path().join("worker-types/desktop/windows.md")).unwrap();
    let differs = server.wm_in(folder.path(), &["diff", "."]);
    assert_eq!(differs.status, 2);
    insta::assert_snapshot!("diff-changed", differs.out);
    let applied = server.wm_in(folder.path(), &["apply", ".", "--output", "json"]);
    let document: serde_json::Value = serde_json::from_str(&applied.out).unwrap();
    assert_eq!(document["notInFolder"], serde_json::json!(["desktop/windows"]));
    let changes = document["changes"].as_array().unwrap();
    let published: Vec<_> = changes.iter().filter(|change| change["outcome"] == "published").collect();
    assert_eq!((published.len(), published[0]["id"].as_str()), (1, Some("ops/website-deploy")));
    assert_eq!(published[0]["revision"], 2);
    assert!(server.wm(&["show", "desktop/windows"]).out.contains("revision      1"));
}

#[test]
fn what_the_gate_refuses_is_shown_at_its_token_and_nothing_is_published() {
    let (server, folder) = (Server::empty(), copy_of_examples());
    let at = |path: &str| folder.path().join(path);
    edit(&at("defaults.yml"), "owner: ci-platform@example.com", "ownr: ci-platform@example.com");
    edit(&at("worker-types/linux/container.yml"), "maxTaskRunTime: 7200", "maxTaskRunTime: 600");
    edit(&at("worker-types/desktop/ubuntu.yml"), "native-worker@3.1.0", "native-worker@3.1.1");
    edit(&at("worker-types/desktop/windows.yml"), "tags: [windows,", "tags: [Windows 11,");
    fs::write(at("worker-types/ops/website-deploy.md"), "x".repeat(600_000)).unwrap();
    let said = server.wm_in(folder.path(), &["apply", "."]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.err.contains("website-deploy.yml:3:23: website-deploy.md has 600000 bytes"), "{}", said.err);
    fs::write(at("worker-types/ops/website-deploy.md"), "# Deploy\n").unwrap();
    let said = server.wm_in(folder.path(), &["apply", "."]);
    assert_eq!(said.status, 1, "{said:?}");
    insta::assert_snapshot!("apply-refused", said.out);
    assert_eq!(server.wm(&["list"]).out, "");
    assert_eq!(server.wm(&["release", "list"]).out, "");
    let checked = server.wm_in(folder.path(), &["check", "."]);
    assert_eq!(checked.status, 1);
    insta::assert_snapshot!("check-refused", checked.out);
}

#[test]
fn recorded_tasks_show_what_a_change_would_refuse() {
    let folder = copy_of_examples();
    edit(&folder.path().join("worker-types/linux/container.yml"), "memoryMiBPerTask: 28672", "memoryMiBPerTask: 28671");
    edit(&folder.path().join("worker-types/linux/container.yml"), "maxTaskRunTime: 7200", "maxTaskRunTime: 1700");
    edit(
        &folder.path().join("worker-types/linux/container.yml"),
        "maxRunTime: 7200, resources: {memoryMiB: 28672}",
        "maxRunTime: 60, resources: {memoryMiB: 1000}",
    );
    let arguments = ["check", ".", "--tasks", "tasks/recorded.ndjson", "--url", &examples().url];
    let said = wm_in(folder.path(), &arguments);
    assert_eq!(said.status, 1, "{said:?}");
    insta::assert_snapshot!("check-replay", said.out);
    // The same by a release that is not published yet: then the rules are applied here.
    fs::copy(
        folder.path().join("releases/container-worker/44.2.0.yml"),
        folder.path().join("releases/container-worker/44.3.0.yml"),
    )
    .unwrap();
    edit(&folder.path().join("worker-types/linux/container.yml"), "container-worker@44.2.0", "container-worker@44.3.0");
    let said = wm_in(folder.path(), &arguments);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.out.contains("linux/container: 4 tasks replayed, 1 newly refused, 0 newly accepted"), "{}", said.out);
}

#[test]
fn a_recording_with_a_broken_line_is_no_pass() {
    let folder = copy_of_examples();
    fs::write(folder.path().join("tasks.ndjson"), "{\"taskQueueId\": \"linux/container\", \"payload\": {}\n").unwrap();
    let said = wm_in(folder.path(), &["check", ".", "--tasks", "tasks.ndjson", "--url", &examples().url]);
    assert_eq!(said.status, 2);
    assert!(said.out.contains("tasks.ndjson:1:"), "{}", said.out);
}

#[test]
fn releases_are_published_alone_and_never_changed() {
    let (server, folder) = (Server::empty(), copy_of_examples());
    let file = "releases/native-worker/3.1.0.yml";
    let dry = server.wm_in(folder.path(), &["release", "publish", file, "--dry-run"]);
    assert_eq!((dry.status, dry.out.as_str()), (0, "native-worker@3.1.0  would be published\n"), "{dry:?}");
    let published = server.wm_in(folder.path(), &["release", "publish", "."]);
    assert_eq!(published.out, "container-worker@44.2.0  published\nnative-worker@3.1.0  published\n", "{published:?}");
    let again = server.wm_in(&folder.path().join("releases/native-worker"), &["release", "publish", "3.1.0.yml"]);
    assert_eq!((again.status, again.out.as_str()), (0, "native-worker@3.1.0  unchanged\n"));
    let other = server.wm_in(folder.path(), &["release", "publish", file, "--id", "native-worker@3.2.0"]);
    assert_eq!((other.status, other.out.as_str()), (0, "native-worker@3.2.0  published\n"));

    edit(&folder.path().join(file), "\ndescription: Runs", "\ndescription: Now Runs");
    let refused = server.wm_in(folder.path(), &["release", "publish", file]);
    assert_eq!(refused.status, 1);
    insta::assert_snapshot!("release-exists", refused.out);
    let planned = server.wm_in(folder.path(), &["apply", ".", "--dry-run"]);
    assert_eq!(planned.status, 1);
    assert!(planned.out.contains("publish this under a new version"), "{}", planned.out);
}

#[test]
fn many_worker_types_adopt_a_release_after_a_plan_and_go_back() {
    let (server, folder) = (Server::empty(), copy_of_examples());
    assert_eq!(server.wm_in(folder.path(), &["apply", "."]).status, 0);
    let file = "releases/container-worker/44.2.0.yml";
    let newer = server.wm_in(folder.path(), &["release", "publish", file, "--id", "container-worker@44.3.0"]);
    assert_eq!(newer.status, 0, "{newer:?}");
    let adopt = |more: &[&str]| server.wm(&[&["release", "adopt", "container-worker@44.3.0"], more].concat());
    let plan = adopt(&["--where", "provisionerId=linux"]);
    assert_eq!(plan.status, 0, "{plan:?}");
    insta::assert_snapshot!("adopt-plan", plan.out);
    let made = adopt(&["--apply", "--message", "44.3.0 is out", "--output", "json"]);
    assert_eq!(made.status, 0, "{made:?}");
    let file = folder.path().join("made.json");
    fs::write(&file, &made.out).unwrap();
    assert!(server.wm(&["show", "linux/container"]).out.contains("44.3.0"));
    let again = adopt(&[]);
    assert_eq!((again.status, again.out.lines().count()), (0, 1), "{again:?}");
    let back = || adopt(&["--rollback", file.to_str().unwrap(), "--apply"]);
    let first = back();
    assert_eq!(first.status, 0, "{first:?}");
    assert!(first.out.contains("published linux/container, revision 3"), "{}", first.out);
    let second = back();
    assert_eq!(second.status, 0, "{second:?}");
    assert!(second.out.contains("unchanged linux/container, revision 3"), "{}", second.out);
    let of_another = server.wm(&["release", "adopt", "container-worker@44.2.0", "--rollback", file.to_str().unwrap()]);
    assert_eq!(of_another.status, 2, "{of_another:?}");
    let made = adopt(&["--apply"]);
    insta::assert_snapshot!("adopt-apply", made.out);
    assert_eq!(back().status, 4, "it is not as that adoption left it");
    let marked = server.wm(&["release", "mark", "container-worker@44.3.0", "withdrawn"]);
    assert_eq!(marked.status, 0, "{marked:?}");
    assert_eq!(adopt(&[]).status, 1, "nothing moves to what was withdrawn");
    assert_eq!(server.wm(&["release", "adopt", "container-worker@44.2.0", "--apply"]).status, 0);
    for wrong in ["colour=red", "tag", "from=x"] {
        assert_eq!(adopt(&["--where", wrong]).status, 2, "{wrong}");
    }
    let marked = server.wm(&["release", "mark", "container-worker@44.2.0", "deprecated", "--message", "old"]);
    assert_eq!(
        (marked.status, marked.out.as_str()),
        (0, "container-worker@44.2.0  deprecated\n  used by linux/container\n")
    );
}
