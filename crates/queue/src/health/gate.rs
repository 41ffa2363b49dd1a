//! What is not as it should be between the gate and worker-manager, in words.
//!
//! It follows the connection, and not the tasks: a queue where nothing is created asks for nothing, and has to know all
//! the same that it no longer hears of changes.

use worker_manager_client::{BreakerState, GateState};

/// The first of what an operator has to know; none when all is well.
pub(super) fn doubt(state: &GateState) -> Option<String> {
    unconnected(state).or_else(|| left_alone(state)).or_else(|| unreadable(state))
}

fn unconnected(state: &GateState) -> Option<String> {
    let watch = &state.watch;
    if watch.connected {
        return None;
    }
    let cause = watch.cause.as_deref().unwrap_or("the first attempt is under way");
    let since = watch.since;
    Some(if watch.reached {
        format!(
            "the change feed of worker-manager is not connected since {since} ({cause}); verdicts go by what was last \
             known, and changes are not heard of"
        )
    } else {
        format!(
            "worker-manager has not been reached since the queue began at {since} ({cause}); tasks are created \
             unchecked until it is. If this goes on, look at --worker-manager-url"
        )
    })
}

/// It tells of changes, and does not answer what it is asked. Fewer failures in a row may be over by now: only with an
/// open breaker does the gate ask again by itself.
fn left_alone(state: &GateState) -> Option<String> {
    if state.breaker == BreakerState::Closed {
        return None;
    }
    let since = state.failing_since.map(|since| format!(" since {since}")).unwrap_or_default();
    let cause = last_error(state);
    Some(format!(
        "worker-manager does not answer{since} ({cause}); it is left alone for now; verdicts go by what was last known"
    ))
}

fn unreadable(state: &GateState) -> Option<String> {
    (state.faulty > 0).then(|| {
        format!(
            "{} of {} worker types cannot be read ({}); their tasks are not checked",
            state.faulty,
            state.kept + state.faulty,
            last_error(state)
        )
    })
}

fn last_error(state: &GateState) -> &str {
    state.last_error.as_ref().map_or("", |error| error.message.as_str())
}

#[cfg(test)]
mod tests {
    use super::doubt;
    use crate::testing::{NOW, gate_state};
    use worker_manager_client::{BreakerState, GateState, LastError, WatchState};

    fn cut(reached: bool) -> GateState {
        let cause = Some("the connection was refused".to_owned());
        let watch = WatchState { connected: false, reached, cause, ..gate_state().watch };
        GateState { watch, ..gate_state() }
    }

    #[test]
    fn nothing_is_said_while_the_feed_is_connected_and_the_breaker_closed() {
        assert_eq!(doubt(&gate_state()), None);
        let slow_once = GateState { failing_since: Some(NOW.parse().unwrap()), ..gate_state() };
        assert_eq!(doubt(&slow_once), None, "it may be over: nobody has asked since");
    }

    #[test]
    fn a_feed_that_is_lost_is_told_though_no_task_has_asked() {
        let words = doubt(&cut(true)).unwrap();
        assert!(words.contains("not connected since 2027-01-02T12:00:00Z (the connection was refused)"), "{words}");
    }

    #[test]
    fn a_worker_manager_that_was_never_there_is_told_with_the_setting_to_look_at() {
        let words = doubt(&cut(false)).unwrap();
        assert!(words.contains("not been reached since the queue began at 2027-01-02T12:00:00Z"), "{words}");
        assert!(words.contains("--worker-manager-url"), "{words}");
    }

    #[test]
    fn one_that_tells_of_changes_and_does_not_answer_is_told_too() {
        let error = LastError { at: NOW.parse().unwrap(), message: "no answer within 350 ms".to_owned() };
        let (breaker, since) = (BreakerState::Open, Some(NOW.parse().unwrap()));
        let state = GateState { breaker, failing_since: since, last_error: Some(error), ..gate_state() };
        let words = doubt(&state).unwrap();
        assert!(words.contains("does not answer since 2027-01-02T12:00:00Z (no answer within 350 ms)"), "{words}");
    }
}
