//! Forged runs that are no order of writes.

use super::judge;
use crate::robustness::promises::given::{
    DELETE, END_ROLLOUT, LOST, PUBLISH_TWO, READ, READ_ABSENT, UNKNOWN, forge, live, operation, publish, revision,
};
use crate::robustness::record::{Action, Made, Outcome, Run};
use crate::robustness::troubles::Trouble;

fn is_rejected(change: impl FnOnce(&mut Run)) {
    assert_ne!(forge(judge, change), Vec::<String>::new());
}

fn is_accepted(change: impl FnOnce(&mut Run)) {
    assert_eq!(forge(judge, change), Vec::<String>::new());
}

const NEVER: Outcome = Outcome::Absent { generation: None };

#[test]
fn a_run_is_rejected_in_which_two_writes_make_one_generation() {
    is_rejected(|run| run.operations[PUBLISH_TWO].outcome = live(1, 1, "two"));
}

#[test]
fn a_run_is_rejected_in_which_a_write_ends_before_an_earlier_one_began() {
    is_rejected(|run| {
        (run.operations[0].started, run.operations[0].ended) = (31, 40);
        (run.operations[1].started, run.operations[1].ended) = (10, 20);
    });
}

#[test]
fn a_run_is_rejected_in_which_a_write_was_made_in_another_state_than_it_named() {
    is_rejected(|run| run.operations[PUBLISH_TWO].action = publish("two", Some(7)));
    is_rejected(|run| run.operations[DELETE].action = Action::Delete { expects: Some(7) });
    is_rejected(|run| run.operations[END_ROLLOUT].action = Action::EndRollout { complete: false, expects: Some(4) });
}

#[test]
fn a_run_is_rejected_in_which_a_write_names_a_place_before_its_own_change_or_none() {
    is_rejected(|run| run.operations[DELETE].place = Some("place-2".to_owned()));
    is_rejected(|run| run.operations[PUBLISH_TWO].place = None);
}

#[test]
fn a_run_is_rejected_in_which_a_replica_shows_what_was_before_its_own_answer() {
    is_rejected(|run| run.operations[READ].outcome = live(1, 1, "one"));
}

#[test]
fn a_run_is_rejected_in_which_a_replica_shows_what_was_deleted_before() {
    is_rejected(|run| {
        run.operations[READ_ABSENT].action = Action::Read { follows: false };
        run.operations[READ_ABSENT].outcome = live(2, 2, "two");
    });
}

#[test]
fn a_run_is_rejected_in_which_a_replica_has_lost_what_it_showed() {
    is_rejected(|run| run.operations[READ].outcome = NEVER);
    is_rejected(|run| {
        let mut again = run.operations[READ].clone();
        (again.started, again.ended, again.outcome) = (40, 41, NEVER);
        again.action = Action::Read { follows: false };
        run.operations.push(again);
    });
}

#[test]
fn a_replica_that_was_cut_off_may_have_missed_what_others_wrote_whether_it_alone_was_or_all_were() {
    let cut_off = |run: &mut Run, replica| {
        run.operations[READ].action = Action::Read { follows: false };
        run.operations[READ].outcome = NEVER;
        run.troubles = vec![Made { trouble: Trouble::Cut, replica, started: 25, ended: 35 }];
    };
    is_accepted(|run| cut_off(run, Some(0)));
    is_accepted(|run| cut_off(run, None));
    is_rejected(|run| cut_off(run, Some(1)));
}

#[test]
fn a_run_is_rejected_in_which_what_is_live_is_shown_as_deleted() {
    is_rejected(|run| run.operations[READ].outcome = Outcome::Absent { generation: Some(2) });
    is_rejected(|run| run.operations[READ].outcome = Outcome::Absent { generation: Some(3) });
}

#[test]
fn a_run_is_rejected_in_which_another_replica_shows_what_was_before_the_write_that_is_followed() {
    for outcome in [live(1, 1, "one"), NEVER] {
        is_rejected(|run| {
            run.operations[READ].replica = 1;
            run.operations[READ].outcome = outcome.clone();
        });
        // Another replica may be a moment behind.
        is_accepted(|run| {
            run.operations[READ].replica = 1;
            run.operations[READ].action = Action::Read { follows: false };
            run.operations[READ].outcome = outcome.clone();
        });
    }
}

#[test]
fn a_run_is_rejected_in_which_a_read_that_follows_a_deletion_shows_what_was_deleted() {
    is_rejected(|run| {
        run.operations[READ_ABSENT].replica = 1;
        run.operations[READ_ABSENT].outcome = live(2, 2, "two");
    });
}

#[test]
fn a_run_is_rejected_in_which_a_read_shows_the_future() {
    is_rejected(|run| (run.operations[READ].started, run.operations[READ].ended) = (1, 2));
    is_rejected(|run| (run.operations[READ_ABSENT].started, run.operations[READ_ABSENT].ended) = (1, 2));
}

#[test]
fn a_run_is_rejected_in_which_a_read_shows_a_content_that_never_was() {
    is_rejected(|run| run.operations[READ].outcome = live(2, 2, "three"));
}

#[test]
fn a_run_is_rejected_in_which_what_was_refused_is_there() {
    for publish in [0, PUBLISH_TWO] {
        is_rejected(|run| run.operations[publish].outcome = Outcome::NotDone { status: 503 });
        is_rejected(|run| run.operations[publish].outcome = Outcome::LostRace { generation: None });
    }
    for end in [DELETE, END_ROLLOUT] {
        is_rejected(|run| run.operations[end].outcome = Outcome::NotDone { status: 503 });
    }
    is_rejected(|run| run.operations[DELETE].outcome = Outcome::LostRace { generation: Some(2) });
}

#[test]
fn a_run_is_rejected_in_which_a_refused_revision_is_kept_though_nobody_is_told() {
    is_rejected(|run| {
        let kept = run.ending.revisions.get_mut("robust/w0").unwrap();
        kept.insert(6, revision("never", "never"));
    });
}

#[test]
fn what_nobody_was_told_of_may_have_been_done_once() {
    let unknown = || Outcome::Unknown { why: "cut off".to_owned() };
    for end in [DELETE, END_ROLLOUT] {
        is_accepted(|run| run.operations[end].outcome = unknown());
    }
    // It was seen before it was asked for.
    is_rejected(|run| {
        run.operations[DELETE].outcome = unknown();
        (run.operations[DELETE].started, run.operations[DELETE].ended) = (65, 66);
    });
}

#[test]
fn a_run_is_rejected_in_which_what_nobody_was_told_of_was_made_before_it_was_asked_for() {
    is_rejected(|run| {
        // Another publish followed on it, and was acknowledged before.
        let mut next = operation(85, publish("six", None), live(8, 6, "six"));
        next.ended = 95;
        run.operations.push(next);
        run.ending.feed.push(crate::robustness::promises::given::event(8, "worker-type-published", 8, 6));
        run.ending.revisions.get_mut("robust/w0").unwrap().insert(6, revision("six", "six"));
        assert!(run.operations[UNKNOWN].started > 95);
    });
}

#[test]
fn a_run_is_rejected_in_which_the_race_was_lost_to_nobody() {
    is_rejected(|run| run.operations[LOST].outcome = Outcome::LostRace { generation: Some(5) });
    is_rejected(|run| {
        run.operations[LOST].action = publish("never", Some(6));
        run.operations[LOST].outcome = Outcome::LostRace { generation: Some(6) };
    });
}

#[test]
fn a_run_is_rejected_in_which_an_answer_is_none() {
    is_rejected(|run| run.operations[READ].outcome = Outcome::Malformed { why: "no number".to_owned() });
}
