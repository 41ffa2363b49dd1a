//! The servers, the database, the feed, and how much of everything there is.

use super::parts;
use maud::{Markup, html};
use registry::Status;
use registry::store::ReplicaRecord;

/// How much there is, in a sentence.
pub(super) fn in_words(status: &Status) -> Markup {
    let counts = &status.counts;
    let revisions = usize::try_from(counts.revisions).unwrap_or(usize::MAX);
    html! {
        (parts::count(counts.live, "worker type")) " live"
        @if counts.deleted > 0 { ", " (counts.deleted) " deleted" }
        "; " (parts::count(revisions, "revision")) " in their history; " (parts::count(counts.releases, "release")) " of implementations."
    }
}

/// Every server on the database. What another one had applied when it was seen says nothing of now: the feed went on.
pub(super) fn servers(status: &Status, with_hosts: bool) -> Markup {
    html! {
        h2 #_servers { "Servers" }
        table.list aria-labelledby="_servers" {
            thead { tr { th scope="col" { "Server" } th scope="col" { "Version" } th scope="col" { "Started" } th scope="col" { "Seen" } th scope="col" { "Applied then" } } }
            tbody { @for record in &status.replicas {
                @let report = &record.report;
                @let is_this = report.id == status.replica.id;
                tr {
                    th scope="row" {
                        (name(record, with_hosts))
                        @if is_this { " " span.badge { "this server" } }
                        @if status.is_missed(record) { " " span.badge.breaking { "not seen" } }
                    }
                    td data-label="Version" { (report.version) }
                    td data-label="Started" { (parts::ago(report.started_at, status.computed_at)) }
                    td data-label="Seen" {
                        @if is_this { "now" }
                        @else if status.database.reachable { (parts::ago(record.seen_at, status.computed_at)) }
                        @else { "at " (parts::second(record.seen_at)) }
                    }
                    td data-label="Applied then" { "event " (report.applied) }
                }
            } }
        }
        p.quiet { "Each says every ten seconds that it is there; who has not for a minute is not listed." }
    }
}

/// What a server is called for this reader.
pub(super) fn name(record: &ReplicaRecord, with_hosts: bool) -> Markup {
    let report = &record.report;
    html! { @if with_hosts && !report.name.is_empty() { (report.name) } @else { code { (short(&report.id)) } } }
}

pub(super) fn database(status: &Status) -> Markup {
    let database = &status.database;
    html! {
        h2 #_database { "Database" }
        dl.meta aria-labelledby="_database" {
            div { dt { "Kind" } dd { (database.kind) } }
            div { dt { "Reachable" } dd { @if database.reachable { "yes" } @else { "no, not for " (parts::duration(database.last_contact)) } } }
            @if let Some(bytes) = database.bytes { div { dt { "Size" } dd { (size(bytes)) } } }
        }
    }
}

pub(super) fn feed(status: &Status) -> Markup {
    let feed = &status.feed;
    html! {
        h2 #_feed { "Change feed" }
        dl.meta aria-labelledby="_feed" {
            div { dt { "Newest event" } dd { (feed.newest) } }
            div { dt { "Applied here" } dd { (feed.applied) @if feed.lag() > 0 { ", " (feed.lag()) " behind" } } }
            @if let Some(oldest) = feed.oldest { div { dt { "Kept from" } dd { "event " (oldest) } } }
            div { dt { "Kept" } dd { (parts::duration(feed.kept_for)) ", at most " (feed.kept_count) " events" } }
            div { dt { "Readers connected here" } dd { (feed.watchers) } }
        }
    }
}

pub(super) fn worker_types(status: &Status) -> Markup {
    let counts = &status.counts;
    html! {
        h2 #_worker_types { "Worker types" }
        dl.meta aria-labelledby="_worker_types" {
            @for (name, number) in &counts.by_lifecycle {
                div { dt { (name) } dd { @if *number > 0 { a href={ "/?lifecycle=" (name) } { (number) } } @else { "0" } } }
            }
        }
        dl.meta aria-label="How payloads are checked" {
            @for (name, number) in &counts.by_validation { div { dt { "checks: " (name) } dd { (number) } } }
        }
    }
}

/// Enough of an id to tell servers apart.
fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// `512 B`, `3.4 MB`.
fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 1_000.0 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1_000.0;
    }
    format!("{value:.1} TB")
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_in_units_of_ten() {
        let shown = [512, 4_096, 3_400_000, 2_000_000_000, 5_000_000_000_000].map(size);
        assert_eq!(shown, ["512 B", "4.1 kB", "3.4 MB", "2.0 GB", "5.0 TB"]);
    }
}
