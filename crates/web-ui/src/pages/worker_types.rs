//! The list: what an author can use, searched on the server.

use super::{LIST, PAGE, parts, terms};
use crate::frame::{self, Page, Place};
use crate::reference::{encoded, of_path, prefix};
use crate::web_ui::State;
use actix_web::http::header;
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use registry::{Facets, Found, ListFilter, Live, Order};
use service::{Answer, Authorised, Kind, Operation, Parameter, Query, QueryFields, QueryValues, Refusal};
use worker_types::{Caller, LifecycleState, Problem};

pub(super) static ROW: Operation = Operation {
    id: "pageWorkerTypes",
    path: "/",
    summary: "The list of worker types",
    tag: "pages",
    access: LIST,
    query: ListQuery::FIELDS,
    answers: PAGE,
    problems: &[Problem::InvalidQuery],
    ..Operation::BLANK
};

pub(super) static MOVED: Operation = Operation {
    id: "pageWorkerTypesMoved",
    path: "/worker-types",
    summary: "Where the list stands",
    tag: "pages",
    access: LIST,
    answers: &[Answer::empty(308, "It is the first page")],
    ..Operation::BLANK
};

/// Rows on a page.
const ROWS: usize = 50;
/// Rows of what was changed lately.
const LATELY: usize = 5;

pub(super) struct ListQuery {
    filter: ListFilter,
    order: Order,
    page: usize,
    /// As it was asked, for links to other pages.
    asked: Vec<(&'static str, String)>,
}

const NAMES: [&str; 7] = ["query", "provisionerId", "implementation", "release", "lifecycle", "tag", "order"];

impl QueryFields for ListQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::optional(
            "query",
            Kind::Line(300),
            "Words that all stand in what is shown, in properties or documentation",
        ),
        Parameter::optional("provisionerId", Kind::Text, "The part of the id before the slash"),
        Parameter::optional("implementation", Kind::Text, "A variant runs this implementation"),
        Parameter::optional("release", Kind::Text, "A variant comes from this release (name@version)"),
        Parameter::optional("lifecycle", Kind::Text, "Where it stands in its life"),
        Parameter::optional("tag", Kind::Text, "It has this tag"),
        Parameter::optional("order", Kind::Text, "id or changed"),
        Parameter::optional("page", Kind::Integer(1, 100_000), "Which page"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        // A form sends what was left empty, too.
        let given = |name| values.owned(name).filter(|text| !text.trim().is_empty());
        let lifecycle = given("lifecycle").map(|name| name.parse::<LifecycleState>()).transpose();
        let lifecycle =
            lifecycle.map_err(|error| Refusal::new(Problem::InvalidQuery, format!("lifecycle: {error}")))?;
        let filter = ListFilter {
            query: given("query"),
            provisioner_id: given("provisionerId"),
            implementation: given("implementation"),
            release: given("release"),
            lifecycle,
            tag: given("tag"),
            documented: None,
        };
        let order = match given("order").as_deref() {
            None | Some("id") => Order::Id,
            Some("changed") => Order::Changed,
            Some(other) => {
                return Err(Refusal::new(
                    Problem::InvalidQuery,
                    format!("order is {other:?}; it must be id or changed"),
                ));
            }
        };
        let asked = NAMES.into_iter().filter_map(|name| Some((name, given(name)?))).collect();
        Ok(Self { filter, order, page: values.parsed("page")?.unwrap_or(1), asked })
    }
}

impl ListQuery {
    fn value(&self, name: &str) -> &str {
        self.asked.iter().find(|(asked, _)| *asked == name).map_or("", |(_, value)| value)
    }

    /// The URL with one value changed; the page is the first again unless it is what changes.
    fn with(&self, name: &'static str, value: &str) -> String {
        let mut pairs: Vec<(&str, &str)> = self
            .asked
            .iter()
            .filter(|(asked, _)| *asked != name)
            .map(|(asked, text)| (*asked, text.as_str()))
            .collect();
        if !value.is_empty() {
            pairs.push((name, value));
        }
        let pairs: Vec<String> = pairs.into_iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if pairs.is_empty() { "/".to_owned() } else { format!("/?{}", pairs.join("&")) }
    }
}

pub(super) async fn moved(_: Authorised, request: HttpRequest) -> HttpResponse {
    let query = request.query_string();
    let place = if query.is_empty() { "/".to_owned() } else { format!("/?{query}") };
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, place)).finish()
}

pub(super) async fn get(
    Authorised(caller): Authorised,
    Query(query): Query<ListQuery>,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    let page = web::block(move || {
        let content = content(&state, &caller, &query);
        let page = Page { title: "Worker types", place: Place::WorkerTypes, islands: &[], content };
        let age = state.registry.stale_for();
        (frame::text(&state.assets, &page, None, age), age)
    });
    let (text, age) = page.await.map_err(Refusal::internal)?;
    Ok(frame::sent(text, None, age))
}

fn content(state: &State, caller: &Caller, query: &ListQuery) -> Markup {
    // Before what is shown: a change in between is told twice rather than never.
    let cursor = state.registry.snapshot().cursor();
    let found = state.registry.search(caller, &query.filter, query.order, (query.page - 1) * ROWS, ROWS);
    let facets = state.registry.facets();
    let is_start = query.asked.is_empty() && query.page == 1;
    html! {
        div.title { h1 { "Worker types" } a.button href="/new" { "New worker type" } }
        (form(query, &facets))
        div #_results data-live="list" data-cursor=(cursor) {
            p.count role="status" {
                (parts::count(found.total, "worker type"))
                @if !is_start { " · " a href="/" { "clear the search" } }
            }
            @if is_start && found.total > ROWS { (lately(state, caller)) }
            @if found.worker_types.is_empty() { (nothing(is_start)) } @else { (table(state, caller, query, &found)) (terms::explained()) }
            (pager(query, found.total))
        }
    }
}

fn form(query: &ListQuery, facets: &Facets) -> Markup {
    let select = |name: &'static str, label: &str, any: &str, options: Vec<(String, String)>| {
        let chosen = query.value(name);
        // What is asked for stays visible, also when nothing has it.
        let unknown = !chosen.is_empty() && options.iter().all(|(value, _)| value != chosen);
        html! {
            label { span { (label) }
                select name=(name) {
                    option value="" { (any) }
                    @if unknown { option value=(chosen) selected { (chosen) } }
                    @for (value, words) in options { option value=(value) selected[value == chosen] { (words) } }
                }
            }
        }
    };
    let counted = |counts: &std::collections::BTreeMap<String, usize>| {
        counts.iter().map(|(name, count)| (name.clone(), format!("{name} ({count})"))).take(100).collect::<Vec<_>>()
    };
    let states = LifecycleState::NAMES.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
    let orders = vec![("changed".to_owned(), "changed lately".to_owned())];
    html! {
        form.search action="/" method="get" role="search" data-search {
            label.words { span { "Search" }
                input type="search" name="query" value=(query.value("query")) autocomplete="off"
                    placeholder="words of ids, descriptions, payload properties, documentation";
            }
            (select("provisionerId", "Provisioner", "any", counted(&facets.provisioners)))
            (select("implementation", "Implementation", "any", counted(&facets.implementations)))
            (select("tag", "Tag", "any", counted(&facets.tags)))
            (select("lifecycle", "Lifecycle", "any", states))
            (select("order", "Order", "by name", orders))
            @if !query.value("release").is_empty() { input type="hidden" name="release" value=(query.value("release")); }
            button type="submit" { "Search" }
        }
        @if !query.value("release").is_empty() {
            p.note { "Only what uses the release " code { (query.value("release")) } ". " a href=(query.with("release", "")) { "Show all" } }
        }
    }
}

fn lately(state: &State, caller: &Caller) -> Markup {
    let found = state.registry.search(caller, &ListFilter::default(), Order::Changed, 0, LATELY);
    html! {
        section.lately aria-labelledby="_lately" {
            h2 #_lately { "Changed lately" }
            ul { @for live in &found.worker_types {
                li { a href=(url(live)) { (live.record.id) } " " span.quiet { "revision " (live.revision.revision) ", " (parts::time(live.revision.published_at)) } }
            } }
        }
    }
}

fn nothing(is_start: bool) -> Markup {
    html! {
        div.empty {
            @if is_start {
                p { "There is no worker type yet." }
                p { "A worker type says what tasks for one pool of machines must look like. "
                    a href="/new" { "Define the first one" } " here, or keep definitions as files and publish them with "
                    code { "wm apply" } "." }
            } @else {
                p { "Nothing fits." }
                p { "Words are searched in ids, descriptions, owners, tags, payload properties and documentation; all of them must be found. "
                    a href="/" { "See everything" } "." }
            }
        }
    }
}

fn table(state: &State, caller: &Caller, query: &ListQuery, found: &Found) -> Markup {
    html! {
        table.list {
            thead { tr { th scope="col" { "Worker type" } th scope="col" { "What it is for" } th scope="col" { "Runs" } th scope="col" { "Checks" } th scope="col" { "Changed" } } }
            tbody { @for live in &found.worker_types { (row(state, caller, query, live)) } }
        }
    }
}

fn row(state: &State, caller: &Caller, query: &ListQuery, live: &Live) -> Markup {
    let newest = live.validation.revisions.last();
    let replaced_by = newest.and_then(|revision| revision.lifecycle.replaced_by.as_deref());
    html! {
        tr {
            th scope="row" {
                a href=(url(live)) { (live.record.id) }
                (parts::lifecycle(live.summary.lifecycle))
                @if let Some(rollout) = &live.rollout {
                    div.quiet { "rollout: revisions " (rollout.from) " and " (rollout.to) " are live" }
                }
                @if let Some(other) = replaced_by { div.quiet { "use " a href={ "/worker-types/" (other) } { (other) } } }
            }
            td {
                (live.summary.description)
                @if let Some(words) = query.filter.query.as_deref() {
                    @for place in state.registry.places(caller, live, words) {
                        div.quiet { @match place {
                            registry::Place::Property { variant, path } => {
                                "property " a href={ (url(live)) "#" (property(live, variant, &path)) } { code { (path) } }
                            },
                            registry::Place::Documentation => "in the documentation",
                        } }
                    }
                }
                @if !live.summary.tags.is_empty() {
                    div.tags { @for tag in &live.summary.tags { a.tag href=(query.with("tag", tag)) { (tag) } " " } }
                }
            }
            td { @for (name, version) in &live.summary.implementations {
                div { a href={ "/implementations/" (name) } { (name) } @if let Some(version) = version { " " span.quiet { (version) } } }
            } }
            td data-label="Checks" { (live.validation.validation.as_str()) }
            td.quiet data-label="Changed" { (parts::time(live.revision.published_at)) }
        }
    }
}

fn pager(query: &ListQuery, total: usize) -> Markup {
    let pages = total.div_ceil(ROWS);
    let link = |page: usize| {
        let base = query.with("page", "");
        let joint = if base.contains('?') { '&' } else { '?' };
        format!("{base}{joint}page={page}")
    };
    html! {
        @if pages > 1 {
            nav.pager aria-label="Pages" {
                @if query.page > 1 { a href=(link(query.page - 1)) rel="prev" { "Previous" } }
                span { "Page " (query.page) " of " (pages) }
                @if query.page < pages { a href=(link(query.page + 1)) rel="next" { "Next" } }
            }
        }
    }
}

/// The anchor of a property on the page of its worker type.
fn property(live: &Live, variant: usize, path: &str) -> String {
    let variants = live.validation.revisions.last().map_or(&[][..], |revision| &revision.variants);
    let name = variants.get(variant).map_or("", |variant| &variant.name);
    of_path(&prefix(variant, name), path)
}

fn url(live: &Live) -> String {
    format!("/worker-types/{}", live.record.id)
}
