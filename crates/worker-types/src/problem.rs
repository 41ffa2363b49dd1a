//! The table of problems: every way in which a request is refused, with its HTTP status, its Taskcluster error code,
//! its title, and the words of its page. Nothing else decides a status.

use std::fmt;

macro_rules! problems {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $status:literal, $code:literal, $title:literal, $help:literal;)+) => {
        /// A way in which a request is refused (RFC 9457: a problem type).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Problem { $($(#[$doc])* #[doc = $title] $variant,)+ }

        impl Problem {
            /// Every problem, in the order of the table.
            pub const ALL: &'static [Problem] = &[$(Problem::$variant,)+];

            /// The short name: `lost-race`. It is the last part of the problem's URI and stays the same for ever.
            pub fn name(self) -> &'static str { match self { $(Problem::$variant => $name,)+ } }

            /// The HTTP status code.
            pub fn status(self) -> u16 { match self { $(Problem::$variant => $status,)+ } }

            /// The error code that Taskcluster's clients know.
            pub fn code(self) -> &'static str { match self { $(Problem::$variant => $code,)+ } }

            /// A title that does not change from one occurrence to the next (RFC 9457 §3.1.4).
            pub fn title(self) -> &'static str { match self { $(Problem::$variant => $title,)+ } }

            /// What to do about it, for the problem's page.
            pub fn help(self) -> &'static str { match self { $(Problem::$variant => $help,)+ } }
        }
    };
}

problems! {
    MalformedJson = "malformed-json", 400, "MalformedPayload", "The body is not JSON",
        "Send one JSON value in UTF-8. The detail names the line and column where reading stopped.";
    DuplicateKey = "duplicate-key", 400, "MalformedPayload", "An object names a key twice",
        "Readers of JSON disagree on which of the two counts, so neither is taken. Remove one.";
    NulCharacter = "nul-character", 400, "MalformedPayload", "A string contains U+0000",
        "The character U+0000 cannot be stored in every database. Remove it.";
    TooDeep = "too-deep", 400, "MalformedPayload", "The JSON is nested too deeply",
        "Arrays and objects may be nested up to the limit that the detail names.";
    TooLarge = "too-large", 413, "InputTooLarge", "The body is too large",
        "The detail names the limit in bytes and the setting that holds it.";
    WrongContentType = "wrong-content-type", 415, "MalformedPayload", "The content type is not the expected one",
        "Send the header `Content-Type` that the detail names.";
    InvalidId = "invalid-id", 400, "InvalidRequestArguments", "An id in the URL does not fit its pattern",
        "The detail gives the pattern and the id that was read.";
    InvalidQuery = "invalid-query", 400, "InvalidRequestArguments", "A query parameter is unknown or has a wrong value",
        "Unknown parameters are refused, since a misspelt one would otherwise be ignored. The detail names those that exist.";
    InvalidHeader = "invalid-header", 400, "InvalidRequestArguments", "A header has a value that cannot be used",
        "The detail names the header and the forms that are understood.";
    InvalidContinuation = "invalid-continuation-token", 400, "InputError", "The continuation token is not one of this list",
        "A token belongs to the query that it came from. Start the list again without it.";
    InvalidCursor = "invalid-cursor", 400, "InputError", "The cursor is not one of this feed",
        "Take a cursor from a list or from an event, unchanged; one from the future is refused too.";
    CursorGone = "cursor-gone", 410, "ResourceExpired", "The events after this cursor are no longer kept",
        "List what you need again, and watch from the cursor of that list.";
    InvalidRequest = "invalid-request", 400, "InputError", "The request cannot be understood",
        "The items of `errors` name each field that is wrong.";
    PreconditionRequired = "precondition-required", 428, "InputError", "The request must say which state it changes",
        "Send `If-Match: \"g<generation>\"` with the generation that you have seen, `If-Match: *` to replace whatever is there, or `If-None-Match: *` to create.";
    PreconditionFailed = "precondition-failed", 412, "RequestConflict", "Somebody else changed it first",
        "Read the current state, see whether your change still holds, and send it with the new generation.";
    InvalidDefinition = "invalid-definition", 422, "InputValidationError", "The definition was refused",
        "Each item of `errors` names a place by its JSON Pointer and what to mend. Nothing was stored.";
    InvalidRelease = "invalid-release", 422, "InputValidationError", "The release was refused",
        "Each item of `errors` names a place by its JSON Pointer and what to mend. Nothing was stored.";
    InvalidImport = "invalid-import", 422, "InputValidationError", "The import was refused",
        "Each item of `errors` names the line and what to mend. Nothing was stored.";
    RolloutOpen = "rollout-open", 409, "RequestConflict", "A rollout is open",
        "Two revisions are live. Complete or abort the rollout, or publish with `?rollout=replace` to replace the newer one.";
    NoRollout = "no-rollout", 404, "ResourceNotFound", "No rollout is open",
        "One revision is live, alone. There is nothing to complete or to abort.";
    Incompatible = "incompatible", 409, "RequestConflict", "The definition may refuse tasks that are accepted now",
        "The worker type requires compatibility. `compatibility` is the report: a breaking change comes with a payload or task that would newly be refused, and with each place; an unknown one with what could not be decided. Where its `verdict` is `compatible`, the definition opens a rollout that ends by itself (`completeAfter`), and `afterRollout` is what is refused. Widen the definition, or publish with `?allowBreaking=true&message=<why>`. Nothing was stored.";
    WithdrawnRelease = "withdrawn-release", 409, "RequestConflict", "The release was withdrawn",
        "Nothing may begin to use it. The detail says why, and what to use instead. Nothing was stored.";
    ReleaseExists = "release-exists", 409, "RequestConflict", "This release exists with another content",
        "Releases are immutable. Publish the change under a new version.";
    UnknownRoute = "unknown-route", 404, "ResourceNotFound", "There is no such route",
        "Each service lists its routes in openapi.json below its prefix, as in /api/worker-manager/v1/openapi.json.";
    UnknownWorkerType = "unknown-worker-type", 404, "ResourceNotFound", "There is no such worker type",
        "The detail names the closest one that exists, if any.";
    UnknownRevision = "unknown-revision", 404, "ResourceNotFound", "There is no such revision",
        "The worker type's `revisions` list those that exist.";
    UnknownImplementation = "unknown-implementation", 404, "ResourceNotFound", "There is no such implementation",
        "The list of implementations shows those that have a release.";
    UnknownRelease = "unknown-release", 404, "ResourceNotFound", "There is no such release",
        "The implementation's releases list those that exist.";
    NoSchema = "no-schema", 404, "ResourceNotFound", "The queue holds no payload schema against tasks of this worker type",
        "Any object is taken as payload: no variant has a schema, or validation is off. The detail says which.";
    UnknownSchema = "unknown-schema", 404, "ResourceNotFound", "There is no such schema now",
        "An address belongs to what a schema is derived from. The index of schemas names the addresses of what is live.";
    Deleted = "deleted", 410, "ResourceExpired", "The worker type was deleted",
        "Its history can still be read. Publishing with `If-Match: *` brings it back; numbering goes on.";
    MethodNotAllowed = "method-not-allowed", 405, "InvalidRequestArguments", "The route does not have this method",
        "The header `Allow` names the methods that it has.";
    NotAcceptable = "not-acceptable", 406, "InvalidRequestArguments", "The resource has no form that the request accepts",
        "The detail names the media types that it has.";
    Unauthenticated = "unauthenticated", 401, "AuthenticationFailed", "The request's credentials are not known",
        "Send `Authorization: Bearer <token>` with a token that this server knows.";
    Forbidden = "forbidden", 403, "InsufficientScopes", "The caller lacks a scope",
        "The detail names the scope. Ask the operators of this server for it.";
    ForeignHost = "foreign-host", 403, "InsufficientScopes", "The request names a host or an origin that is not this server's",
        "Without configured access only local pages and programs may use the server. Use its own address, or configure access.";
    TaskConflict = "task-conflict", 409, "RequestConflict", "A task with this id exists with another definition",
        "Use a new task id, or send the very definition that was created.";
    UnknownTask = "unknown-task", 404, "ResourceNotFound", "There is no such task",
        "Check the task id; tasks are kept until they expire.";
    InvalidTask = "invalid-task", 400, "InputError", "The task was refused",
        "Each item of `errors` names a place in the task definition and what to mend. No task was created.";
    InvalidTaskSchema = "invalid-task-definition", 400, "InputValidationError", "The request is not a task definition",
        "Each item of `errors` names a field of the task definition and what to mend. No task was created.";
    StoreUnavailable = "store-unavailable", 503, "InternalServerError", "The database cannot be reached",
        "Nothing was changed unless the detail says so. Try again after the time that `Retry-After` gives.";
    Behind = "behind", 503, "InternalServerError", "This server has not heard of the change yet",
        "The request asked by its cursor for a state that another server has written. Try again after the time that `Retry-After` gives, or leave the header `x-registry-cursor` out to read what is here.";
    NotReady = "not-ready", 503, "InternalServerError", "The server is not ready",
        "It is starting or shutting down. Try again after the time that `Retry-After` gives.";
    UpstreamUnreachable = "upstream-unreachable", 502, "InternalServerError", "The server behind this one cannot be reached",
        "The path is forwarded (`--route`), and whoever answers it is away or speaks no HTTP. Try again; if it lasts, whoever runs the service looks at the server that the detail names.";
    UpstreamTimeout = "upstream-timeout", 504, "InternalServerError", "The server behind this one does not answer in time",
        "The path is forwarded (`--route`). A change may have been made all the same: look before you repeat it.";
    Internal = "internal", 500, "InternalServerError", "The server failed",
        "The fault is ours. The log has an entry under the request id of this answer.";
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let names: BTreeSet<_> = Problem::ALL.iter().map(|problem| problem.name()).collect();
        assert_eq!(names.len(), Problem::ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    }

    #[test]
    fn every_status_is_an_error() {
        assert!(Problem::ALL.iter().all(|problem| (400..600).contains(&problem.status())));
    }
}
