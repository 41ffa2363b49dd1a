//! What several pages show alike.

use jiff::Timestamp;
use maud::{Markup, html};
use registry::rfc3339;
use std::time::Duration;
use worker_types::{CompatibilityVerdict, LifecycleState};

/// A time, to the minute; the exact one is in the element.
pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(rfc3339(at)) title="UTC" { (at.strftime("%Y-%m-%d %H:%M")) } }
}

/// A time of today, to the second; the exact one is in the element.
pub(super) fn second(at: Timestamp) -> Markup {
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { (at.strftime("%H:%M:%S")) } }
}

/// How long before `now` it was; the exact time is in the element.
pub(super) fn ago(at: Timestamp, now: Timestamp) -> Markup {
    let age = Duration::try_from(now.duration_since(at)).unwrap_or_default();
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { @if age.as_secs() == 0 { "just now" } @else { (duration(age)) " ago" } } }
}

/// How long after `now` it will be; the exact time is in the element. To the nearest minute, hour or day: a rollout of seven
/// days has not six left two seconds later.
pub(super) fn until(at: Timestamp, now: Timestamp) -> Markup {
    let rest = Duration::try_from(at.duration_since(now)).unwrap_or_default();
    let half = match rest.as_secs() {
        0..60 => 0,
        60..3_570 => 30,
        3_570..84_600 => 1_800,
        _ => 43_200,
    };
    let rest = rest + Duration::from_secs(half);
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { @if rest.as_secs() == 0 { "now" } @else { "in " (duration(rest)) } } }
}

/// `12 s`, `3 min`, `2 h`, `7 days`: the largest unit that is filled.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => count(usize::try_from(seconds / 86_400).unwrap_or(usize::MAX), "day"),
    }
}

/// Where a worker type stands in its life; nothing for an active one.
pub(super) fn lifecycle(state: LifecycleState) -> Markup {
    html! { @if state != LifecycleState::Active { span class={ "badge " (state.as_str()) } { (state.as_str()) } } }
}

/// The verdict of a comparison.
pub(super) fn compatibility(verdict: CompatibilityVerdict) -> Markup {
    html! { span class={ "badge " (verdict.as_str()) } { (verdict.as_str()) } }
}

/// `1 worker type`, `3 worker types`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Where one stands: links to what is above.
pub(super) fn crumbs(steps: &[(&str, &str)]) -> Markup {
    html! {
        nav.crumbs aria-label="Breadcrumb" {
            @for (url, name) in steps { a href=(url) { (name) } " / " }
        }
    }
}

/// A link whose target an author wrote: only what a browser may safely follow.
pub(super) fn outside(href: &str, title: &str) -> Markup {
    let safe = ["https://", "http://", "mailto:", "/", "#"].iter().any(|start| href.starts_with(start));
    html! { @if safe { a href=(href) rel="noopener noreferrer" { (title) } } @else { (title) " (" code { (href) } ")" } }
}

#[cfg(test)]
mod tests {
    use super::{ago, duration, until};
    use std::time::Duration;

    #[test]
    fn durations_are_told_in_the_largest_unit_that_is_filled() {
        let shown =
            [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 604_800].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(shown, ["0 s", "59 s", "1 min", "59 min", "1 h", "23 h", "1 day", "7 days"]);
    }

    #[test]
    fn what_was_is_told_from_now_and_clocks_that_disagree_by_a_little_do_no_harm() {
        let (noon, later) = ("2027-01-02T12:00:00Z".parse().unwrap(), "2027-01-02T12:05:00Z".parse().unwrap());
        let text = |markup: maud::Markup| markup.into_string();
        assert!(text(ago(noon, later)).contains(">5 min ago<") && text(ago(later, noon)).contains(">just now<"));
        assert!(text(until(later, noon)).contains(">in 5 min<") && text(until(noon, later)).contains(">now<"));
        let in_seconds = |seconds: i64| text(until(noon + jiff::SignedDuration::from_secs(seconds), noon));
        for (seconds, words) in [
            (604_798, ">in 7 days<"),
            (7_198, ">in 2 h<"),
            (3_599, ">in 1 h<"),
            (86_398, ">in 1 day<"),
            (59, ">in 59 s<"),
            (118, ">in 2 min<"),
        ] {
            assert!(in_seconds(seconds).contains(words), "{seconds}: {}", in_seconds(seconds));
        }
    }
}
