//! One row of the table as an OpenAPI operation.

use super::TOKEN;
use crate::operation::{Access, Body, Kind, Operation, Parameter};
use crate::problem_body::MEDIA_TYPE;
use std::collections::BTreeMap;
use utoipa::openapi::extensions::{Extensions, ExtensionsBuilder};
use utoipa::openapi::path::{Operation as OpenApiOperation, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, Response, ResponseBuilder};
use worker_types::Problem;

pub(super) fn describe(row: &Operation) -> OpenApiOperation {
    let mut operation = OperationBuilder::new()
        .operation_id(Some(row.id))
        .summary(Some(row.summary))
        .tag(row.tag)
        .request_body(row.body.as_ref().map(request_body))
        .extensions(scopes(row.access));
    for name in row.path_parameters() {
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True);
        operation = operation.parameter(parameter.schema(Some(ObjectBuilder::new().schema_type(Type::String))));
    }
    for field in row.query {
        operation = operation.parameter(parameter(field, ParameterIn::Query));
    }
    for field in row.headers.iter().chain(row.waits.as_ref().map(|waits| &waits.header)) {
        operation = operation.parameter(parameter(field, ParameterIn::Header));
    }
    for (status, answer) in answers(row) {
        operation = operation.response(status.to_string(), answer);
    }
    operation.securities(Some(security(row.access))).build()
}

/// Where no scope is asked for, no token is needed either.
fn security(access: Access) -> Vec<SecurityRequirement> {
    let token = SecurityRequirement::new::<_, [&str; 0], _>(TOKEN, []);
    // The first alternative is none: the anonymous scopes may do.
    if access == Access::Public { Vec::new() } else { vec![SecurityRequirement::default(), token] }
}

fn scopes(access: Access) -> Option<Extensions> {
    match access {
        Access::Public => None,
        Access::Scope(scope) | Access::Each(scope) => {
            Some(ExtensionsBuilder::new().add("x-required-scopes", vec![scope.to_owned()]).build())
        }
    }
}

fn parameter(field: &Parameter, place: ParameterIn) -> ParameterBuilder {
    let object = match field.kind {
        Kind::Text => ObjectBuilder::new().schema_type(Type::String),
        Kind::Line(most) => ObjectBuilder::new().schema_type(Type::String).max_length(Some(most)),
        Kind::Flag => ObjectBuilder::new().schema_type(Type::Boolean),
        Kind::Integer(least, most) => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(usize::try_from(least).unwrap_or(usize::MAX)))
            .maximum(Some(usize::try_from(most).unwrap_or(usize::MAX))),
        Kind::OneOf(words) => ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words.iter().copied())),
    };
    ParameterBuilder::new()
        .name(field.name)
        .parameter_in(place)
        .required(if field.required { Required::True } else { Required::False })
        .description(Some(field.description))
        .schema(Some(object))
}

fn request_body(body: &Body) -> RequestBody {
    let media = body.media.first().copied().unwrap_or_default();
    let limit = format!("{} At most {} bytes (setting {}).", body.description, body.limit.default, body.limit.setting);
    RequestBodyBuilder::new()
        .description(Some(limit))
        .required(Some(Required::True))
        .content(media, ContentBuilder::new().schema(body.schema.map(reference)).build())
        .build()
}

fn reference(schema: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(schema))
}

/// The answers of success as the row has them, those of one status as its forms, and one for each status of its problems.
fn answers(row: &Operation) -> Vec<(u16, Response)> {
    let mut answers: Vec<(u16, Response)> = Vec::new();
    for forms in row.answers.chunk_by(|one, next| one.status == next.status) {
        let words: Vec<&str> = forms.iter().map(|form| form.description).collect();
        let mut response = ResponseBuilder::new().description(words.join(". Or: "));
        for form in forms {
            if let Some(media) = form.media {
                response = response.content(media, ContentBuilder::new().schema(form.schema.map(reference)).build());
            }
        }
        answers.push((forms[0].status, response.build()));
    }
    let mut by_status: BTreeMap<u16, Vec<Problem>> = BTreeMap::new();
    for problem in row.all_problems() {
        by_status.entry(problem.status()).or_default().push(problem);
    }
    for (status, problems) in by_status {
        let titles: Vec<&str> = problems.iter().map(|problem| problem.title()).collect();
        let names: Vec<String> = problems.iter().map(|problem| problem.name().to_owned()).collect();
        let response = ResponseBuilder::new()
            .description(titles.join(". Or: "))
            .content(MEDIA_TYPE, ContentBuilder::new().schema(Some(reference("Problem"))).build())
            .extensions(Some(ExtensionsBuilder::new().add("x-problems", names).build()));
        answers.push((status, response.build()));
    }
    answers
}
