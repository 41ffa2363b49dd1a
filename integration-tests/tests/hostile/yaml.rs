//! YAML is read by `wm` alone: texts that would unfold into more than memory holds are refused with their place.

use integration_tests::server::{scratch, wm};
use std::time::{Duration, Instant};

/// Each line has ten aliases of the one before.
fn bomb(levels: usize) -> String {
    let level = |i: usize| format!("a{}: &a{} [{}]\n", i + 1, i + 1, vec![format!("*a{i}"); 10].join(", "));
    std::iter::once("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned()).chain((0..levels).map(level)).collect()
}

#[test]
fn texts_that_unfold_without_end_are_refused() {
    let folder = scratch();
    let merge = "a: &a {<<: *a}\n";
    let deep = format!("{}x{}", "[".repeat(5_000), "]".repeat(5_000));
    let indented: String = (0..3_000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    let cases = [
        ("aliases of aliases", bomb(9)),
        ("an alias of itself", "a: &a [*a]\n".to_owned()),
        ("a merge of itself", merge.to_owned()),
        ("an alias of nothing", "a: *nothing\n".to_owned()),
        ("brackets that nest", deep),
        ("blocks that nest", indented),
        ("a key that stands twice", "payload: {}\npayload: {}\n".to_owned()),
        ("half a document", "payload: {a: [1, 2\n".to_owned()),
        ("a tag of another language", "payload: !!python/object/apply:os.system [\"true\"]\n".to_owned()),
    ];
    for (name, text) in cases {
        let file = folder.path().join("task.yml");
        std::fs::write(&file, text).unwrap();
        let start = Instant::now();
        let validated = wm(&["validate", "task.yml", "--url", "http://127.0.0.1:9", "--worker-type", "a/b"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said =
            String::from_utf8_lossy(&validated.stderr).into_owned() + &String::from_utf8_lossy(&validated.stdout);
        assert!(start.elapsed() < Duration::from_secs(20), "{name} took {:?}", start.elapsed());
        assert_eq!(validated.status.code(), Some(2), "{name}: {said:.500}");
        assert!(said.contains("task.yml") && !said.contains("panicked"), "{name}: {said:.500}");
        assert!(said.len() < 4_000, "{name} takes {} bytes to say", said.len());
    }
}
