//! An answer that is made once and served many times: its bytes, plain and compressed, each with a strong ETag.

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::sync::{Arc, OnceLock};

/// Bodies shorter than this are not worth compressing.
const COMPRESS_FROM: usize = 512;
/// Bodies up to this are compressed by the thread that serves the first who takes them so: in about a millisecond.
const COMPRESS_LATER: usize = 64 << 10;

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
    /// With content coding, made by the first who takes it.
    compressed: Arc<OnceLock<Option<Representation>>>,
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
        let identity = Representation { bytes: bytes.into(), etag: format!("\"{tag}\"") };
        let document = Self { identity, compressed: Arc::default() };
        if document.identity.bytes.len() > COMPRESS_LATER {
            document.gzip();
        }
        document
    }

    /// A value as JSON text.
    pub fn of_json(value: &Value) -> Self {
        Self::hashed(value.to_string())
    }

    /// With `Content-Encoding: gzip`; none where that is not shorter.
    pub fn gzip(&self) -> Option<&Representation> {
        self.compressed.get_or_init(|| compressed(&self.identity)).as_ref()
    }

    /// Bytes that it takes in memory, about, compressed form included. Always the same: those who keep documents add it
    /// when one comes and take it away when it goes, and it may be compressed in between.
    pub(crate) fn size(&self) -> usize {
        let plain = self.identity.bytes.len();
        plain + plain / 2
    }
}

fn compressed(plain: &Representation) -> Option<Representation> {
    let bytes = compress(&plain.bytes)?;
    let tag = plain.etag.strip_suffix('"').unwrap_or(&plain.etag);
    Some(Representation { bytes, etag: format!("{tag}+gzip\"") })
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

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn a_document_weighs_the_same_before_and_after_it_is_compressed() {
        for text in
            ["x".repeat(10_000), (0..10_000_u32).map(|n| char::from_u32(n * 7 % 0x3000 + 32).unwrap_or('x')).collect()]
        {
            let document = Document::hashed(text);
            let before = document.size();
            let gzip = document.gzip().map_or(0, |gzip| gzip.bytes.len());
            assert_eq!(document.size(), before);
            assert!(document.identity.bytes.len() + gzip < 2 * before);
        }
    }
}
