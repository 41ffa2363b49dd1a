//! A new migration is noticed.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
