//! Keeps a second server off a SQLite file: two would each believe their memory, and not hear of the other's writes.

use super::refused;
use crate::DatabaseError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Held for as long as the server runs; the operating system lets go of it however the process ends.
#[derive(Debug)]
pub(crate) struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// Takes the lock of the database at `path`, a file beside it whose name ends in `.lock`.
    pub fn take(path: &Path) -> Result<Self, DatabaseError> {
        let lock = lock_path(path);
        let failed = |error: std::io::Error| {
            let advice =
                format!("The server's user needs to write {}, which shows that the file is in use", lock.display());
            refused(path, &error.to_string(), Some(advice))
        };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&lock).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Only to name who holds it: an empty or unreadable file refuses just as well.
                let read = file.read_to_string(&mut holder);
                let holder = read.ok().and_then(|_| holder.trim().parse::<u32>().ok()).map(|pid| pid.to_string());
                return Err(DatabaseError::InUse { file: path.display().to_string(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
