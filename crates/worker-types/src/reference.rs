//! The fields of a definition and of a release, in words: what the reference page is generated from.

/// One field of a document.
#[derive(Clone, Copy, Debug)]
pub struct FieldReference {
    /// Where it stands: `variants[].name`.
    pub path: &'static str,
    /// Its JSON type, or its vocabulary.
    pub kind: &'static str,
    /// What its absence means; `required` where it may not be absent.
    pub default: &'static str,
    /// What it says.
    pub words: &'static str,
}

const fn field(path: &'static str, kind: &'static str, default: &'static str, words: &'static str) -> FieldReference {
    FieldReference { path, kind, default, words }
}

/// The fields of a definition.
pub const DEFINITION: &[FieldReference] = &[
    field("workerTypeId", "string", "the id in the path", "If it stands here it must agree with the path."),
    field("description", "one line, ≤ 1,000 bytes", "required", "What the worker type is for."),
    field("owner", "one line", "none", "Whom to ask: an e-mail address or a name."),
    field(
        "documentation",
        "Markdown, ≤ 500,000 bytes",
        "the description",
        "What authors read first. `{{configuration.NAME}}` shows a fact of the pool.",
    ),
    field(
        "documentationCoverage",
        "`none`, `warn` or `require`",
        "`none`",
        "What happens where payload properties have no description or the documentation does not mention them, variants have no example, or links inside the documentation lead nowhere: it is measured only, the answer says so, or the definition is refused.",
    ),
    field("links", "array, ≤ 100", "empty", "Further reading."),
    field("links[].title", "one line", "required", "What the link leads to."),
    field("links[].href", "URL", "required", "`https:`, `http:`, `mailto:` or a path on this server."),
    field("tags", "array of strings, ≤ 50", "empty", "Words to find it by: letters, digits, `-_.:/`, up to 60 each."),
    field("actions", "array, ≤ 50", "empty", "What people can start from the worker type's page."),
    field("actions[].name", "one line", "required", "Identifies the action."),
    field("actions[].title", "one line", "required", "On the button."),
    field("actions[].context", "`worker-type` or `worker`", "`worker-type`", "What the action is about."),
    field("actions[].url", "URL", "required", "Where it leads."),
    field("actions[].description", "string", "none", "What it does."),
    field("lifecycle", "object", "active", "Where the worker type stands in its life."),
    field(
        "lifecycle.state",
        "`experimental`, `active`, `deprecated` or `retired`",
        "required",
        "A deprecated one accepts tasks with a warning; a retired one refuses them.",
    ),
    field("lifecycle.message", "string", "none", "Why, and what to do."),
    field("lifecycle.replacedBy", "worker type id", "none", "For deprecated and retired ones: what to use instead."),
    field(
        "validation",
        "`off`, `warn` or `enforce`",
        "`warn`",
        "What a queue does with a payload that is not accepted.",
    ),
    field(
        "compatibility",
        "`none`, `warn` or `require`",
        "`warn`",
        "What happens to a revision that would refuse tasks that are accepted now, or where that cannot be ruled out: nothing is compared, the answer says so, or it is refused (409) unless `?allowBreaking=true&message=<why>`. The stricter of the new and the live definition's policies counts.",
    ),
    field("acceptance", "`any` or `all`", "`any`", "Which of the variants that apply to a task must accept it."),
    field("rollout", "object", "immediate", "How this revision takes over from the one before."),
    field(
        "rollout.policy",
        "`immediate`, `lenient` or `strict`",
        "required",
        "`lenient`: both revisions stay live and either accepts; `strict`: both must.",
    ),
    field(
        "rollout.completeAfter",
        "duration: `90s`, `45m`, `2h 30m`, `7d`, `PT2H30M`; at most 366 days",
        "none: somebody completes it",
        "After how long the rollout completes by itself, counted from the publish.",
    ),
    field(
        "variants",
        "array, ≤ 100",
        "one variant `default` without a schema; so does an empty array",
        "The contracts between authors and the kinds of workers in the pool.",
    ),
    field("variants[].name", "letters, digits, `-_.:`", "required", "Unique; what verdicts call it."),
    field(
        "variants[].release",
        "`name@version`",
        "none",
        "The release that holds the contract. Excludes `implementation`, `appliesWhen`, `taskSchema`, `payloadSchema` and `dialect`.",
    ),
    field("variants[].releaseVariant", "one line", "all of the release's variants", "One variant of the release."),
    field("variants[].implementation", "object", "none", "Which program runs the tasks."),
    field("variants[].implementation.name", "lower case letters, digits, `-_.`", "required", "As in `generic-worker`."),
    field("variants[].implementation.version", "one line", "none", "In the implementation's own scheme."),
    field("variants[].implementation.reference", "URL", "none", "Its reference documentation."),
    field(
        "variants[].appliesWhen",
        "JSON Schema on the normalised task",
        "always",
        "Whether the variant concerns a task.",
    ),
    field("variants[].taskSchema", "JSON Schema on the normalised task", "none", "What the task must be."),
    field("variants[].payloadSchema", "JSON Schema on the payload", "any object", "What the payload must be."),
    field(
        "variants[].dialect",
        "`draft-04`, `draft-06`, `draft-07`, `2019-09` or `2020-12`",
        "`draft-07`, with a warning",
        "For schemas that name no `$schema`.",
    ),
    field(
        "variants[].documentation",
        "Markdown, ≤ 500,000 bytes",
        "none",
        "What to say to authors about this variant.",
    ),
    field(
        "variants[].configuration",
        "object",
        "empty",
        "Facts of this pool that authors may know. A value may be `{\"from\": \"/pool/config/…\"}`. Must fit the release's `configurationSchema`.",
    ),
    field("variants[].constraints", "object", "none", "What this pool narrows."),
    field("variants[].constraints.payloadSchema", "JSON Schema on the payload", "none", "The payload must fit it too."),
    field(
        "variants[].constraints.taskSchema",
        "JSON Schema on the normalised task",
        "none",
        "The task must fit it too.",
    ),
    field("variants[].constraints.rules", "array, ≤ 100", "empty", "Comparisons that a schema cannot make."),
    field("variants[].constraints.rules[].rule", "`atMost` or `notAfter`", "required", "Which comparison."),
    field(
        "variants[].constraints.rules[].path",
        "JSON Pointer on the task; `*` stands for every member",
        "required",
        "What is compared.",
    ),
    field(
        "variants[].constraints.rules[].limit",
        "number or `{\"from\": \"/configuration/…\"}`",
        "required for `atMost`",
        "The bound.",
    ),
    field(
        "variants[].constraints.rules[].other",
        "JSON Pointer on the task",
        "required for `notAfter`",
        "The time that may not be passed.",
    ),
    field(
        "variants[].examples",
        "array, ≤ 200",
        "empty",
        "Payloads and tasks that show the contract; each is checked when the definition is published.",
    ),
    field("variants[].examples[].title", "one line", "`untitled`", "What the example shows."),
    field("variants[].examples[].payload", "JSON", "either it or `task`", "A `task.payload`."),
    field(
        "variants[].examples[].task",
        "object",
        "either it or `payload`",
        "A task definition; the queue's defaults are filled in.",
    ),
    field("variants[].examples[].valid", "boolean", "true", "Whether the contract accepts it. Both are checked."),
    field("pool", "object", "none: nothing provisions it", "The provisioner's input."),
    field("pool.providerId", "`^[a-zA-Z0-9-_]{1,38}$`", "required", "Which provider turns it into workers."),
    field("pool.config", "object", "empty", "As the provider says."),
    field("pool.owner", "one line", "none", "Whom to tell about launch errors."),
    field("pool.emailOnError", "boolean", "false", "Whether to tell them by e-mail."),
];

/// The fields of a release.
pub const RELEASE: &[FieldReference] = &[
    field("release", "`name@version`", "the id in the path", "If it stands here it must agree with the path."),
    field("description", "one line, ≤ 1,000 bytes", "none", "What the release is."),
    field(
        "documentation",
        "Markdown, ≤ 500,000 bytes",
        "none",
        "The implementation's reference; shown with every worker type that uses it.",
    ),
    field("links", "array, ≤ 100", "empty", "As in a definition."),
    field(
        "configurationSchema",
        "JSON Schema",
        "anything",
        "What the `configuration` of a variant that uses the release must be.",
    ),
    field("variants", "array, 1 to 100", "required", "The contracts."),
    field("variants[].name", "letters, digits, `-_.:`", "required", "Unique within the release."),
    field("variants[].appliesWhen", "JSON Schema on the normalised task", "always", "As in a definition."),
    field("variants[].taskSchema", "JSON Schema on the normalised task", "none", "As in a definition."),
    field("variants[].payloadSchema", "JSON Schema on the payload", "any object", "As in a definition."),
    field(
        "variants[].dialect",
        "as in a definition",
        "`draft-07`, with a warning",
        "For schemas that name no `$schema`.",
    ),
    field(
        "variants[].documentation",
        "Markdown, ≤ 500,000 bytes",
        "none",
        "What to say to authors about this variant.",
    ),
    field(
        "variants[].constraints",
        "object",
        "none",
        "As in a definition; limits may come from `/configuration/…` of the worker type that uses it.",
    ),
    field("variants[].examples", "array, ≤ 200", "empty", "As in a definition; checked when the release is published."),
];

#[cfg(test)]
mod tests {
    use super::{DEFINITION, FieldReference, RELEASE};
    use crate::{Definition, Release};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    /// The fields that a reader says it knows, when it meets one that it does not.
    fn known(faults: Vec<crate::Item>, pointer: &str) -> BTreeSet<String> {
        let fault = faults.into_iter().find(|fault| fault.pointer == pointer).expect("an unknown field is refused");
        let (_, names) = fault.message.split_once("known are ").expect("the message lists what is known");
        names.split(", ").map(str::to_owned).collect()
    }

    fn told(table: &[FieldReference], parent: &str) -> BTreeSet<String> {
        let children = table.iter().filter_map(|field| field.path.strip_prefix(parent));
        children.filter(|rest| !rest.is_empty() && !rest.contains(['.', '['])).map(str::to_owned).collect()
    }

    #[test]
    fn the_reference_names_the_very_fields_that_a_definition_may_have() {
        let odd = json!({"zzzzzzzzzz": 1});
        let document = json!({"zzzzzzzzzz": 1, "description": "x", "links": [odd], "actions": [odd], "lifecycle": odd, "rollout": odd, "pool": odd,
            "variants": [{"zzzzzzzzzz": 1, "name": "a", "implementation": odd, "constraints": {"zzzzzzzzzz": 1, "rules": [odd]}, "examples": [odd]}]});
        for (parent, place) in [
            ("", ""),
            ("links[].", "/links/0"),
            ("actions[].", "/actions/0"),
            ("lifecycle.", "/lifecycle"),
            ("rollout.", "/rollout"),
            ("pool.", "/pool"),
            ("variants[].", "/variants/0"),
            ("variants[].implementation.", "/variants/0/implementation"),
            ("variants[].constraints.", "/variants/0/constraints"),
            ("variants[].constraints.rules[].", "/variants/0/constraints/rules/0"),
            ("variants[].examples[].", "/variants/0/examples/0"),
        ] {
            let faults = Definition::read(&document, &"p/w".parse().unwrap()).unwrap_err();
            assert_eq!(told(DEFINITION, parent), known(faults, &format!("{place}/zzzzzzzzzz")), "{parent}");
        }
    }

    #[test]
    fn the_reference_names_the_very_fields_that_a_release_may_have() {
        let document: Value = json!({"zzzzzzzzzz": 1, "variants": [{"name": "a", "zzzzzzzzzz": 1}]});
        for (parent, place) in [("", ""), ("variants[].", "/variants/0")] {
            let faults = Release::read(&document, &"w@1".parse().unwrap()).unwrap_err();
            assert_eq!(told(RELEASE, parent), known(faults, &format!("{place}/zzzzzzzzzz")), "{parent}");
        }
    }
}
