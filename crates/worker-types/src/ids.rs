//! Identifiers, parsed once at the edge. A `String` that means an id travels no further than here.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr, sync::Arc};
use thiserror::Error;

/// Why a text is not the id that it should be.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{given:?} is not a {what}: {rule}")]
pub struct IdError {
    /// `worker type id`, `task id`, …
    pub what: &'static str,
    /// What was read, shortened.
    pub given: String,
    /// The rule in words, with the pattern.
    pub rule: &'static str,
}

impl IdError {
    fn new(what: &'static str, given: &str, rule: &'static str) -> Self {
        Self { what, given: given.chars().take(120).collect(), rule }
    }
}

macro_rules! id_text {
    ($name:ident) => {
        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }
    };
}

/// `<provisionerId>/<workerType>`: Taskcluster's `workerPoolId` and `taskQueueId`.
///
/// Pattern: `^[a-zA-Z0-9-_]{1,38}/[a-z]([-a-z0-9]{0,36}[a-z0-9])?$`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerTypeId {
    // Shared: every verdict names its worker type.
    text: Arc<str>,
    slash: usize,
}

impl WorkerTypeId {
    const RULE: &'static str =
        "it must match ^[a-zA-Z0-9-_]{1,38}/[a-z]([-a-z0-9]{0,36}[a-z0-9])?$, as in proj-build/linux-large";

    /// Joins the two parts.
    ///
    /// # Errors
    /// Either part does not fit its half of the pattern.
    pub fn new(provisioner_id: &str, worker_type: &str) -> Result<Self, IdError> {
        if valid_provisioner_id(provisioner_id) && valid_worker_type(worker_type) {
            Ok(Self { text: format!("{provisioner_id}/{worker_type}").into(), slash: provisioner_id.len() })
        } else {
            Err(IdError::new("worker type id", &format!("{provisioner_id}/{worker_type}"), Self::RULE))
        }
    }

    /// The part before the slash.
    pub fn provisioner_id(&self) -> &str {
        &self.text[..self.slash]
    }

    /// The part after the slash.
    pub fn worker_type(&self) -> &str {
        &self.text[self.slash + 1..]
    }

    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for WorkerTypeId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text.split_once('/') {
            Some((provisioner_id, worker_type)) => Self::new(provisioner_id, worker_type),
            None => Err(IdError::new("worker type id", text, Self::RULE)),
        }
    }
}

impl fmt::Display for WorkerTypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

id_text!(WorkerTypeId);

/// Whether `text` fits `^[a-zA-Z0-9-_]{1,38}$`.
pub fn valid_provisioner_id(text: &str) -> bool {
    (1..=38).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn valid_worker_type(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=38).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
        && bytes.last() != Some(&b'-')
}

/// `<implementation>@<version>`: one immutable release of a worker implementation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReleaseId {
    implementation: String,
    version: String,
}

impl ReleaseId {
    const RULE: &'static str = "it must match ^[a-z0-9]([-_.a-z0-9]{0,62}[a-z0-9])?@[0-9A-Za-z]([-+._0-9A-Za-z]{0,62}[0-9A-Za-z])?$, as in generic-worker@44.2.0";

    /// Joins implementation and version.
    ///
    /// # Errors
    /// Either part does not fit its half of the pattern.
    pub fn new(implementation: &str, version: &str) -> Result<Self, IdError> {
        if Self::valid_implementation(implementation) && valid_version(version) {
            Ok(Self { implementation: implementation.to_owned(), version: version.to_owned() })
        } else {
            Err(IdError::new("release id", &format!("{implementation}@{version}"), Self::RULE))
        }
    }

    /// Whether `text` can name an implementation.
    pub fn valid_implementation(text: &str) -> bool {
        let inner =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.');
        valid_ends(text, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) && text.as_bytes().iter().all(inner)
    }

    /// The implementation's name.
    pub fn implementation(&self) -> &str {
        &self.implementation
    }

    /// The version, in the implementation's own scheme.
    pub fn version(&self) -> &str {
        &self.version
    }
}

fn valid_version(text: &str) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'_' | b'.');
    valid_ends(text, |byte| byte.is_ascii_alphanumeric()) && text.as_bytes().iter().all(inner)
}

fn valid_ends(text: &str, end: impl Fn(&u8) -> bool) -> bool {
    (1..=64).contains(&text.len())
        && text.as_bytes().first().is_some_and(&end)
        && text.as_bytes().last().is_some_and(&end)
}

impl FromStr for ReleaseId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text.split_once('@') {
            Some((implementation, version)) => Self::new(implementation, version),
            None => Err(IdError::new("release id", text, Self::RULE)),
        }
    }
}

impl fmt::Display for ReleaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.implementation, self.version)
    }
}

id_text!(ReleaseId);

/// A Taskcluster slug id: a version 4 UUID in 22 characters of base64url.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TaskId(String);

impl TaskId {
    const RULE: &'static str =
        "it must match ^[A-Za-z0-9_-]{8}[Q-T][A-Za-z0-9_-][CGKOSWaeimquy26-][A-Za-z0-9_-]{10}[AQgw]$ (a slug id)";

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TaskId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let slug = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let bytes = text.as_bytes();
        let fits = bytes.len() == 22
            && bytes.iter().all(slug)
            && (b'Q'..=b'T').contains(&bytes[8])
            && b"CGKOSWaeimquy26-".contains(&bytes[10])
            && b"AQgw".contains(&bytes[21]);
        if fits { Ok(Self(text.to_owned())) } else { Err(IdError::new("task id", text, Self::RULE)) }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

id_text!(TaskId);

/// `sha256:<64 hex digits>`: the identity of a JSON value, over its canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(Arc<str>);

impl ContentHash {
    /// From the 32 bytes of a SHA-256 digest.
    pub fn from_digest(digest: &[u8]) -> Self {
        Self(format!("sha256:{}", hex::encode(digest)).into())
    }

    /// The hash as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ContentHash {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let digits = text.strip_prefix("sha256:").unwrap_or_default();
        let fits =
            digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if fits {
            Ok(Self(text.into()))
        } else {
            Err(IdError::new("content hash", text, "it must be sha256: and 64 hex digits"))
        }
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

id_text!(ContentHash);

macro_rules! counter {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $name(pub $inner);

        impl $name {
            /// The next one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                match text.parse() {
                    // One number has one spelling: the URL of a revision is its only one.
                    Ok(number) if number > 0 && !text.starts_with(['+', '0']) => Ok(Self(number)),
                    _ => Err(IdError::new("number", text, "it must be an integer from 1")),
                }
            }
        }
    };
}

counter! {
    /// The number of a revision of one worker type, from 1, without gaps.
    RevisionNumber(u32)
}

counter! {
    /// Counts the changes of what is live for one worker type, from 1. `If-Match: "g<generation>"` names it.
    Generation(u64)
}

#[cfg(test)]
mod tests {
    use super::{ContentHash, ReleaseId, RevisionNumber, TaskId, WorkerTypeId};

    #[test]
    fn worker_type_ids_follow_taskclusters_pattern() {
        for good in ["p/w", "Proj_1-x/linux-large", "1/a0", &format!("{}/{}", "p".repeat(38), "w".repeat(38))] {
            assert_eq!(good.parse::<WorkerTypeId>().unwrap().as_str(), good);
        }
        for bad in [
            "",
            "p",
            "p/",
            "/w",
            "p/W",
            "p/1w",
            "p/w-",
            "p/w/x",
            "p.q/w",
            "p/w_x",
            "p/w\n",
            &format!("{}/w", "p".repeat(39)),
            &format!("p/{}", "w".repeat(39)),
        ] {
            assert!(bad.parse::<WorkerTypeId>().is_err(), "{bad:?}");
        }
        let id: WorkerTypeId = "proj/linux".parse().unwrap();
        assert_eq!((id.provisioner_id(), id.worker_type()), ("proj", "linux"));
    }

    #[test]
    fn release_ids_name_implementation_and_version() {
        let id: ReleaseId = "generic-worker@44.2.0-rc.1+b2".parse().unwrap();
        assert_eq!((id.implementation(), id.version()), ("generic-worker", "44.2.0-rc.1+b2"));
        for bad in ["generic-worker", "@1", "a@", "A@1", "a@1/2", "a@1@2", "-a@1"] {
            assert!(bad.parse::<ReleaseId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn task_ids_are_slugs() {
        assert!("fN1SbArXTPSVFNUvaOlinQ".parse::<TaskId>().is_ok());
        for bad in
            ["", "fN1SbArXTPSVFNUvaOlin", "fN1SbArXAPSVFNUvaOlinQ", "fN1SbArXTPSVFNUvaOlinB", "fN1SbArXTP!VFNUvaOlinQ"]
        {
            assert!(bad.parse::<TaskId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn numbers_start_at_one() {
        assert!("0".parse::<RevisionNumber>().is_err());
        assert!("+1".parse::<RevisionNumber>().is_err());
        assert!("01".parse::<RevisionNumber>().is_err());
        assert_eq!("7".parse::<RevisionNumber>().unwrap(), RevisionNumber(7));
    }

    #[test]
    fn hashes_are_lower_case_hex() {
        assert!(format!("sha256:{}", "a".repeat(64)).parse::<ContentHash>().is_ok());
        assert!(format!("sha256:{}", "A".repeat(64)).parse::<ContentHash>().is_err());
    }
}
