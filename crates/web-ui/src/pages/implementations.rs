//! The reference section: every implementation.

use super::{LIST, PAGE, parts};
use crate::frame::{self, Page, Place};
use crate::web_ui::State;
use actix_web::HttpResponse;
use actix_web::web::{self, Data};
use maud::html;
use service::{Authorised, Operation, Refusal};

pub(super) static ROW: Operation = Operation {
    id: "pageImplementations",
    path: "/implementations",
    summary: "Every implementation that is known",
    tag: "pages",
    access: LIST,
    answers: PAGE,
    ..Operation::BLANK
};

pub(super) async fn get(_: Authorised, state: Data<State>) -> Result<HttpResponse, Refusal> {
    let registry = state.registry.clone();
    let implementations = web::block(move || registry.implementations()).await.map_err(Refusal::internal)?;
    let content = html! {
        h1 { "Implementations" }
        p.lead { "The programs that run tasks, and what each version of them takes." }
        @if implementations.is_empty() {
            div.empty { p { "None yet. A worker type names the implementation of its variants; whoever maintains one publishes its releases with " code { "wm release publish" } "." } }
        } @else {
            table.list {
                thead { tr { th scope="col" { "Implementation" } th scope="col" { "Releases" } th scope="col" { "Worker types" } } }
                tbody { @for one in &implementations {
                    tr {
                        th scope="row" { a href={ "/implementations/" (one.name) } { (one.name) } }
                        td { @if one.versions.is_empty() { span.quiet { "none published" } }
                            @for version in one.versions.iter().rev().take(5) { a href={ "/implementations/" (one.name) "/" (version) } { (version) } " " }
                            @if one.versions.len() > 5 { span.quiet { "and " (one.versions.len() - 5) " older" } } }
                        td { a href={ "/?implementation=" (one.name) } { (parts::count(one.worker_types, "worker type")) } }
                    }
                } }
            }
        }
    };
    Ok(frame::answer(&state, &Page { title: "Implementations", place: Place::Implementations, islands: &[], content }))
}
