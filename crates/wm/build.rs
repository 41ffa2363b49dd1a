//! The examples are part of the program: a new file among them makes it anew.

fn main() {
    println!("cargo:rerun-if-changed=../../examples");
}
