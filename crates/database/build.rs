//! A new migration of the tests is noticed.

fn main() {
    println!("cargo:rerun-if-changed=tests/migrations");
}
