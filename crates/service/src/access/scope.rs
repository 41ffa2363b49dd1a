//! Whether a caller may call an operation: its scope template with the request's own ids in it.

use crate::context::Context;
use crate::{Access, Operation, Refusal};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use std::future::{Ready, ready};
use std::ops::Deref;
use worker_types::{Caller, Problem};

/// The caller, once the operation's scope was found among its scopes. Every handler takes one.
#[derive(Clone, Debug)]
pub struct Authorised(pub Caller);

impl Deref for Authorised {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

impl Authorised {
    /// Asks for one more scope, for what only the body names.
    ///
    /// # Errors
    /// The caller does not have it.
    pub fn require(&self, scope: &str) -> Result<(), Refusal> {
        if self.0.has(scope) { Ok(()) } else { Err(forbidden(&self.0, scope)) }
    }
}

impl FromRequest for Authorised {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // The endpoint has authorised the request before it asked for the handler's arguments.
        ready(Context::of(request).map(|context| Self(context.caller.clone())))
    }
}

/// Refuses a caller that lacks the operation's scope.
pub(crate) fn authorise(operation: &Operation, caller: &Caller, request: &HttpRequest) -> Result<(), Refusal> {
    match operation.access {
        Access::Public => Ok(()),
        Access::Scope(template) => {
            if caller.has_all_below(stem(template)) {
                return Ok(());
            }
            let scope = expand(template, request);
            if caller.has(&scope) { Ok(()) } else { Err(forbidden(caller, &scope)) }
        }
        Access::Each(template) if caller.has_some_below(stem(template)) => Ok(()),
        Access::Each(template) => Err(refuse(caller, &format!("a scope of the form {template}"), template)),
    }
}

/// What stands before the first placeholder, or the whole of a template without one.
fn stem(template: &str) -> &str {
    template.split_once('<').map_or(template, |(stem, _)| stem)
}

fn expand(template: &str, request: &HttpRequest) -> String {
    let mut scope = String::with_capacity(template.len() + 40);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        let (name, behind) = after.split_once('>').unwrap_or((after, ""));
        scope.push_str(before);
        if name == "workerTypeId" {
            scope.push_str(&parameter(request, "provisionerId"));
            scope.push('/');
            scope.push_str(&parameter(request, "workerType"));
        } else {
            scope.push_str(&parameter(request, name));
        }
        rest = behind;
    }
    scope.push_str(rest);
    scope
}

fn parameter(request: &HttpRequest, name: &str) -> String {
    let text = request.match_info().get(name).unwrap_or_default();
    // What does not decode fits no id either, and is refused when it is read.
    crate::ids::decode(text).unwrap_or_else(|_| text.to_owned())
}

fn forbidden(caller: &Caller, scope: &str) -> Refusal {
    refuse(caller, &format!("the scope {scope}"), scope)
}

fn refuse(caller: &Caller, needed: &str, scope: &str) -> Refusal {
    let detail = match caller.name() {
        "anonymous" => format!("this needs {needed}; the request brings no token (Authorization: Bearer <token>)"),
        name => format!("this needs {needed}, which {name} does not have"),
    };
    Refusal::new(Problem::Forbidden, detail).member("scope", scope)
}
