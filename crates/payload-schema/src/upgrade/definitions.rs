//! The definitions of a document that is being written: one roof for those of all its schemas, each name once.

use super::Target;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Characters of a name: it is read by people.
const NAME_CHARACTERS: usize = 80;

/// The definitions so far.
#[derive(Debug)]
pub(crate) struct Definitions {
    target: Target,
    members: Map<String, Value>,
    /// How many asked for the same name.
    taken: HashMap<String, usize>,
}

impl Definitions {
    pub(crate) fn new(target: Target) -> Self {
        Self { target, members: Map::new(), taken: HashMap::new() }
    }

    pub(crate) fn target(&self) -> Target {
        self.target
    }

    /// A name like `wanted` that no other definition has; it needs no escape in a reference.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '@');
        let plain: String = wanted.chars().take(NAME_CHARACTERS).map(|c| if fits(c) { c } else { '-' }).collect();
        let plain = if plain.is_empty() { "schema".to_owned() } else { plain };
        let mut name = plain.clone();
        while self.members.contains_key(&name) {
            let count = self.taken.entry(plain.clone()).or_insert(1);
            *count += 1;
            name = format!("{plain}-{count}");
        }
        // The place is kept, so that definitions stand in the order in which they were first mentioned.
        self.members.insert(name.clone(), Value::Bool(true));
        name
    }

    pub(crate) fn put(&mut self, name: &str, schema: Value) {
        self.members.insert(name.to_owned(), schema);
    }

    /// How many there are; for [`Definitions::forget_from`].
    pub(crate) fn count(&self) -> usize {
        self.members.len()
    }

    /// Takes the newest ones back, down to `count`.
    pub(crate) fn forget_from(&mut self, count: usize) {
        let newest: Vec<String> = self.members.keys().skip(count).cloned().collect();
        for name in newest {
            self.members.shift_remove(&name);
        }
    }

    /// What a `$ref` to a definition says.
    pub(crate) fn reference(&self, name: &str) -> String {
        format!("#/{}/{name}", self.target.definitions())
    }

    /// Adds the definitions to the document that they belong to.
    pub(crate) fn finish(self, document: &mut Map<String, Value>) {
        if !self.members.is_empty() {
            document.insert(self.target.definitions().to_owned(), Value::Object(self.members));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Definitions, Target};
    use serde_json::json;

    #[test]
    fn names_are_plain_and_never_shared() {
        let mut definitions = Definitions::new(Target::Draft202012);
        let names = ["a b/~", "a", "a", "", "a-2", "a"].map(|wanted| definitions.name(wanted));
        assert_eq!(names, ["a-b--", "a", "a-2", "schema", "a-2-2", "a-3"]);
        assert_eq!(definitions.reference("a"), "#/$defs/a");
        assert_eq!(Definitions::new(Target::Draft07).reference("a"), "#/definitions/a");
        definitions.put("a", json!(false));
        let mut document = serde_json::Map::new();
        definitions.finish(&mut document);
        assert_eq!(document["$defs"]["a"], json!(false));
    }
}
