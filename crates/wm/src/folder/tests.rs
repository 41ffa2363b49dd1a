use super::{Files, Folder, FolderOnDisk, Listed};
use crate::documents::Part;
use std::collections::BTreeMap;
use std::{fs, io};

/// A folder in memory.
struct Given(BTreeMap<&'static str, &'static str>);

impl Files for Given {
    fn name_of(&self, path: &str) -> String {
        format!("ci/{path}")
    }

    fn list(&self) -> io::Result<Listed> {
        let mut folders: Vec<_> = self.0.keys().filter_map(|path| Some(path.split_once('/')?.0.to_owned())).collect();
        folders.dedup();
        Ok(Listed { files: self.0.keys().map(|path| (*path).to_owned()).collect(), folders })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|text| text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }
}

fn load<const N: usize>(files: [(&'static str, &'static str); N]) -> Result<Folder, Vec<String>> {
    Folder::load(&Given(files.into())).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

#[test]
fn definitions_stand_over_the_defaults_and_hold_the_texts_they_name() {
    let folder = load([
        ("defaults.yml", "owner: team@example.com\nvalidation: enforce\ntags: [a]\n"),
        ("worker-types/p/w.yml", "description: W\nvalidation: off\ndocumentation:\n  file: ../w.md\nvariants:\n  - name: v\n    documentation: {file: ./v.md}\n"),
        ("worker-types/p/v.md", "# V\r\ntext\r\n"),
        ("worker-types/w.md", "# W"),
        ("releases/worker/1.0.0.json", "{\"variants\": []}"),
    ])
    .unwrap();
    assert_eq!(folder.warnings, Vec::<String>::new());
    let definition = &folder.worker_types[&"p/w".parse().unwrap()];
    assert_eq!(
        definition.value().to_string(),
        r##"{"description":"W","validation":"off","documentation":"# W","variants":[{"name":"v","documentation":"# V\ntext\n"}],"owner":"team@example.com","tags":["a"]}"##
    );
    let spot = |pointer: &str, part| definition.spot(pointer, part).to_string();
    assert_eq!(spot("/validation", Part::Value), "ci/worker-types/p/w.yml:2:13");
    assert_eq!(spot("/owner", Part::Key), "ci/defaults.yml:1:1");
    assert_eq!(spot("/tags/0", Part::Value), "ci/defaults.yml:3:8");
    assert_eq!(spot("/documentation", Part::Value), "ci/worker-types/w.md:1:1");
    assert_eq!(spot("/variants/0/documentation", Part::Value), "ci/worker-types/p/v.md:1:1");
    assert_eq!(spot("/variants/0/name", Part::Value), "ci/worker-types/p/w.yml:6:11");
    assert!(folder.releases.contains_key(&"worker@1.0.0".parse().unwrap()));
}

#[test]
fn every_fault_of_every_file_is_told() {
    let faults = load([
        ("defaults.yml", "- a\n"),
        ("worker-types/p/W.yml", "description: W\n"),
        ("worker-types/p/a.yml", "description: [\n"),
        ("worker-types/p/b.json", "{\"description\": 1,}"),
        ("worker-types/p/b.yml", "description: B\n"),
        ("worker-types/p/b.yaml", "description: B\n"),
        ("worker-types/p/c.yml", "description: C\ndocumentation: {file: missing.md}\n"),
        ("worker-types/p/d.yml", "description: D\ndocumentation: {file: ../../../etc/passwd}\n"),
        ("worker-types/p/e.yml", "description: E\ndocumentation: {file: /etc/passwd}\n"),
        ("worker-types/p/f.yml", "description: F\ndocumentation: {fil: f.md}\n"),
        ("worker-types/x.yml", "description: X\n"),
        ("releases/1.0.0.yml", "variants: []\n"),
    ])
    .unwrap_err();
    insta::assert_snapshot!(faults.join("\n"));
}

#[test]
fn files_that_nothing_reads_are_told() {
    let folder = load([
        ("README.md", ""),
        ("default.yml", ""),
        ("release/a/1.yml", ""),
        ("tasks/a.json", ""),
        ("worker-types/p/w.yml", "description: W"),
        ("worker-types/p/w.yml~", ""),
        ("worker-types/p/old.md", ""),
    ])
    .unwrap();
    insta::assert_snapshot!(folder.warnings.join("\n"));
}

#[test]
fn a_folder_without_definitions_is_an_error() {
    let faults = load([("README.md", "")]).unwrap_err();
    assert!(faults[0].contains("no definitions here"), "{faults:?}");
}

#[test]
fn a_folder_on_disk_ends_at_its_edge() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "secret").unwrap();
    let root = outside.path().join("ci");
    fs::create_dir_all(root.join("worker-types/p")).unwrap();
    fs::write(root.join("worker-types/p/w.yml"), "description: W\ndocumentation: {file: link.md}\n").unwrap();
    fs::write(root.join("worker-types/p/.hidden"), "").unwrap();
    std::os::unix::fs::symlink("../../../secret.md", root.join("worker-types/p/link.md")).unwrap();
    let faults = Folder::load(&FolderOnDisk::new(&root)).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("leads out of the folder"), "{}", faults[0]);
    assert!(Folder::load(&FolderOnDisk::new(root.join("none"))).unwrap_err()[0].to_string().contains("No such file"));
    assert!(
        Folder::load(&FolderOnDisk::new(root.join("worker-types/p/w.yml"))).unwrap_err()[0]
            .to_string()
            .contains("not a folder")
    );
}

#[test]
fn the_examples_load_without_a_warning() {
    let folder = Folder::load(&FolderOnDisk::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"))).unwrap();
    assert_eq!(folder.warnings, Vec::<String>::new());
    assert_eq!((folder.releases.len(), folder.worker_types.len()), (2, 6));
}
