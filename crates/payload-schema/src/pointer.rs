//! JSON Pointers (RFC 6901), and the way a place in a task is written for people.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Appends one reference token.
pub(crate) fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    if !token.contains(['~', '/']) {
        pointer.push_str(token);
        return;
    }
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// `pointer` with one more token.
pub(crate) fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + token.len() + 1);
    joined.push_str(pointer);
    push(&mut joined, token);
    joined
}

/// The tokens of `pointer`, unescaped.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|token| {
        if token.contains('~') { Cow::Owned(token.replace("~1", "/").replace("~0", "~")) } else { Cow::Borrowed(token) }
    })
}

/// Appends a member to a path for people: `.name`, or `["odd name"]`.
pub(crate) fn push_member(path: &mut String, name: &str) {
    let mut characters = name.chars();
    let plain = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'));
    if plain {
        path.push('.');
        path.push_str(name);
    } else {
        path.push('[');
        path.push_str(&crate::excerpt::text(name));
        path.push(']');
    }
}

/// Appends an element to a path for people: `[3]`.
pub(crate) fn push_element(path: &mut String, index: usize) {
    // Writing to a String cannot fail.
    let _ = write!(path, "[{index}]");
}

#[cfg(test)]
mod tests {
    use super::{join, push_element, push_member, tokens};

    #[test]
    fn tokens_are_escaped_and_come_back() {
        let pointer = join(&join("/a", "b/c~d"), "");
        assert_eq!(pointer, "/a/b~1c~0d/");
        assert_eq!(tokens(&pointer).collect::<Vec<_>>(), ["a", "b/c~d", ""]);
        assert_eq!(tokens("").count(), 0);
        assert_eq!(tokens("/~01").collect::<Vec<_>>(), ["~1"]);
    }

    #[test]
    fn a_path_is_written_as_a_reader_would() {
        let mut path = String::from("task.payload");
        push_member(&mut path, "command");
        push_element(&mut path, 0);
        push_member(&mut path, "odd key");
        assert_eq!(path, "task.payload.command[0][\"odd key\"]");
    }
}
