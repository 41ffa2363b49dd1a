//! Where a folder's files come from: the disk, or the program itself.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes. What a definition may be is the server's to say; this keeps a mistake cheap.
const LARGEST: u64 = 16 << 20;

/// How many folders deep files are looked for.
const DEEPEST: usize = 8;

/// The files below a folder. Paths are relative to it and have `/` between their parts.
pub trait Files {
    /// What messages call the file at `path`; `""` is the folder.
    fn name_of(&self, path: &str) -> String;

    /// Every file and folder, in order. Hidden ones are left out.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn list(&self) -> io::Result<Listed>;

    /// The content of a file inside the folder.
    ///
    /// # Errors
    /// It cannot be read, is too large, or is a link that leads out of the folder.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// The paths below a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Files.
    pub files: Vec<String>,
    /// Folders directly in it.
    pub folders: Vec<String>,
}

/// A folder on the disk.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn walk(&self, below: &str, depth: usize, listed: &mut Listed) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(below))? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            if entry.file_type()?.is_dir() {
                if below.is_empty() {
                    listed.folders.push(path.clone());
                }
                if depth < DEEPEST {
                    self.walk(&path, depth + 1, listed)?;
                }
            } else if fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_file()) {
                listed.files.push(path);
            }
        }
        Ok(())
    }
}

impl Files for Folder {
    fn name_of(&self, path: &str) -> String {
        let path = if path.is_empty() { self.root.clone() } else { self.root.join(path) };
        let shown = path.strip_prefix(".").ok().filter(|shorter| *shorter != Path::new("")).unwrap_or(&path);
        shown.display().to_string()
    }

    fn list(&self) -> io::Result<Listed> {
        if !fs::metadata(&self.root)?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "this is not a folder"));
        }
        let mut listed = Listed::default();
        self.walk("", 0, &mut listed)?;
        listed.files.sort();
        listed.folders.sort();
        Ok(listed)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = self.root.join(path).canonicalize()?;
        if !file.starts_with(self.root.canonicalize()?) {
            return Err(io::Error::other("the file is a link that leads out of the folder"));
        }
        let mut bytes = Vec::new();
        fs::File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(io::Error::other(format!("the file has more than {} MiB", LARGEST >> 20)));
        }
        Ok(bytes)
    }
}
