//! A JSON Pointer in the words of a message: `/payload/env/0` is `task.payload.env[0]`.

/// How messages name the place at `pointer`, which starts at the task.
pub fn dotted(pointer: &str) -> String {
    let mut text = "task".to_owned();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        let is_name = part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        if is_name {
            text.push('.');
            text.push_str(&part);
        } else if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            text.push_str(&format!("[{part}]"));
        } else {
            text.push_str(&format!("[{part:?}]"));
        }
    }
    text
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
