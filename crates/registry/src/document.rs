//! An answer that is made once and served many times: its bytes, plain and compressed, each with a strong ETag.

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::io::Write;

/// Bodies shorter than this are not worth compressing.
const COMPRESS_FROM: usize = 512;

/// The bytes of a representation and its ETag (RFC 9110 §8.8.3), quotes included.
#[derive(Clone, Debug)]
pub struct Representation {
    /// The body.
    pub bytes: Bytes,
    /// Strong: one content coding, one ETag.
    pub etag: String,
}

/// A body without and with content coding.
#[derive(Clone, Debug)]
pub struct Document {
    /// As it is.
    pub identity: Representation,
    /// With `Content-Encoding: gzip`; none where that is not shorter.
    pub gzip: Option<Representation>,
}

impl Document {
    /// A document whose ETag is the hash of its bytes.
    pub fn hashed(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let tag = hex::encode(&Sha256::digest(&bytes)[..16]);
        Self::tagged(bytes, &tag)
    }

    /// A document whose ETag is `tag`, for one whose identity is known otherwise.
    pub fn tagged(bytes: impl Into<Bytes>, tag: &str) -> Self {
        let bytes = bytes.into();
        let gzip = compress(&bytes).map(|bytes| Representation { bytes, etag: format!("\"{tag}+gzip\"") });
        Self { identity: Representation { bytes, etag: format!("\"{tag}\"") }, gzip }
    }
}

fn compress(bytes: &Bytes) -> Option<Bytes> {
    if bytes.len() < COMPRESS_FROM {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::default());
    // Writing to memory does not fail; should it ever, the plain form serves.
    encoder.write_all(bytes).ok()?;
    let packed = encoder.finish().ok()?;
    (packed.len() < bytes.len()).then(|| packed.into())
}
