//! Says where the built scripts are: those of `make web`, or a folder that holds none. The pages read without them.

use std::env;
use std::path::Path;

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let built = Path::new(&root).join("client/dist");
    let folder = if built.join("manifest.json").exists() { "client/dist" } else { "client/not-built" };
    // Relative: a checkout may be moved, and its build folder with it.
    println!("cargo:rustc-env=WEB_UI_CLIENT={folder}");
    // A folder that does not exist yet would make every build a new one.
    let watched = if built.exists() { "client/dist" } else { "client" };
    println!("cargo:rerun-if-changed={watched}");
    println!("cargo:rerun-if-changed=build.rs");
}
