//! A JSON Pointer in the words of a message: `/payload/env/0` is `task.payload.env[0]`.

use crate::pointer::{push_element, push_member, tokens};

/// How messages name the place at `pointer`, which starts at the task.
pub fn dotted(pointer: &str) -> String {
    let mut path = "task".to_owned();
    for token in tokens(pointer) {
        match token.parse() {
            Ok(index) if token.bytes().all(|byte| byte.is_ascii_digit()) => push_element(&mut path, index),
            _ => push_member(&mut path, &token),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::dotted;

    #[test]
    fn names_are_dotted_and_the_rest_is_bracketed() {
        assert_eq!(dotted(""), "task");
        assert_eq!(dotted("/payload/command/0/1"), "task.payload.command[0][1]");
        assert_eq!(dotted("/payload/artifacts/public~1build/x-y"), "task.payload.artifacts[\"public/build\"][\"x-y\"]");
    }
}
