//! What pages load: one style sheet, and the scripts that `make web` built. Each file's name carries the hash of its
//! content, so a browser keeps it for ever.

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderMap};
use flate2::{Compression, write::GzEncoder};
use rust_embed::RustEmbed;
use serde::Deserialize;
use service::{Encoding, encoding};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(RustEmbed)]
#[folder = "$WEB_UI_CLIENT"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "*.gz"]
#[include = "manifest.json"]
struct Built;

/// The look of all pages, then what only editors have.
const STYLE: &str = concat!(include_str!("../assets/style.css"), include_str!("../assets/editor.css"));

/// An entry of Vite's manifest (<https://vite.dev/guide/backend-integration>).
#[derive(Deserialize)]
struct Chunk {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
}

struct File {
    media: &'static str,
    plain: Cow<'static, [u8]>,
    gzip: Option<Cow<'static, [u8]>>,
}

/// Every file that a page may load.
pub(crate) struct Assets {
    files: BTreeMap<String, File>,
    manifest: BTreeMap<String, Chunk>,
    style: String,
}

impl Assets {
    pub(crate) fn load() -> Self {
        let mut files = BTreeMap::new();
        for name in Built::iter().filter(|name| name.ends_with(".js") || name.ends_with(".css")) {
            let Some(plain) = Built::get(&name) else { continue };
            let gzip = Built::get(&format!("{name}.gz")).map(|file| file.data);
            let media = if name.ends_with(".js") { "text/javascript" } else { "text/css" };
            files.insert(name.into_owned(), File { media, plain: plain.data, gzip });
        }
        let manifest = Built::get("manifest.json").and_then(|file| serde_json::from_slice(&file.data).ok());
        let style = format!("style-{}.css", hex::encode(&Sha256::digest(STYLE)[..6]));
        let gzip = Some(Cow::Owned(compressed(STYLE.as_bytes())));
        files.insert(style.clone(), File { media: "text/css", plain: Cow::Borrowed(STYLE.as_bytes()), gzip });
        Self { files, manifest: manifest.unwrap_or_default(), style }
    }

    /// The URL of the style sheet.
    pub(crate) fn style(&self) -> String {
        format!("/assets/{}", self.style)
    }

    /// The URLs of the script that is built from `src/<entry>.ts` and of what it imports, itself first; empty where
    /// nothing was built.
    pub(crate) fn scripts(&self, entry: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut wanted = vec![format!("src/{entry}.ts")];
        while let Some(name) = wanted.pop() {
            let Some(chunk) = self.manifest.get(&name) else { continue };
            let url = format!("/assets/{}", chunk.file);
            if !found.contains(&url) {
                found.push(url);
                wanted.extend(chunk.imports.iter().cloned());
            }
        }
        found
    }

    /// The answer with a file; none where there is no such file.
    pub(crate) fn answer(&self, name: &str, request: &HeaderMap) -> Option<HttpResponse> {
        let file = self.files.get(name)?;
        let mut response = HttpResponse::Ok();
        response
            .insert_header((header::CONTENT_TYPE, format!("{}; charset=utf-8", file.media)))
            .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
            .insert_header((header::VARY, "accept-encoding"))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
        Some(match &file.gzip {
            Some(gzip) if encoding(request) == Encoding::Gzip => {
                response.insert_header((header::CONTENT_ENCODING, "gzip")).body(gzip.clone().into_owned())
            }
            _ => response.body(file.plain.clone().into_owned()),
        })
    }
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
