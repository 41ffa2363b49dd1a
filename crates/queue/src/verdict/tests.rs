//! What each verdict leads to under each setting.

use crate::settings::{Settings, UnknownWorkerType};
use crate::testing::{NOW, at, invalid, task_id, unchecked, valid};
use crate::verdict::{Action, KEPT_BYTES, KeptVerdict};
use worker_types::{Item, UncheckedReason, ValidationMode, Verdict};

fn decided(verdict: Verdict, most: ValidationMode, unknown: UnknownWorkerType) -> KeptVerdict {
    let settings = Settings { max_validation: most, unknown_worker_type: unknown, ..Settings::new("") };
    KeptVerdict::decide(task_id(), verdict, &settings, at(NOW))
}

fn action(verdict: Verdict, most: ValidationMode) -> Action {
    decided(verdict, most, UnknownWorkerType::Allow).action
}

#[test]
fn the_milder_of_the_two_modes_counts() {
    use ValidationMode::{Enforce, Off, Warn};
    for (of_the_worker_type, of_the_queue, expected) in [
        (Enforce, Enforce, Action::Refused),
        (Enforce, Warn, Action::Warned),
        (Enforce, Off, Action::Created),
        (Warn, Enforce, Action::Warned),
        (Warn, Warn, Action::Warned),
        (Warn, Off, Action::Created),
        (Off, Enforce, Action::Created),
    ] {
        let kept = decided(invalid(of_the_worker_type), of_the_queue, UnknownWorkerType::Allow);
        assert_eq!(kept.action, expected, "{of_the_worker_type} under {of_the_queue}");
        assert_eq!(kept.mode, Some(of_the_worker_type.min(of_the_queue)));
    }
}

#[test]
fn what_is_valid_or_cannot_be_said_is_created() {
    assert_eq!(action(valid(), ValidationMode::Enforce), Action::Created);
    for reason in [
        UncheckedReason::NoSchema,
        UncheckedReason::NeedsTask,
        UncheckedReason::Unavailable,
        UncheckedReason::Off,
        UncheckedReason::UnknownWorkerType,
        UncheckedReason::Deleted,
    ] {
        assert_eq!(action(unchecked(reason), ValidationMode::Enforce), Action::Created, "{reason}");
    }
}

#[test]
fn a_worker_type_that_does_not_exist_has_a_setting_of_its_own() {
    for reason in [UncheckedReason::UnknownWorkerType, UncheckedReason::Deleted] {
        for (setting, expected) in [
            (UnknownWorkerType::Allow, Action::Created),
            (UnknownWorkerType::Warn, Action::Warned),
            (UnknownWorkerType::Refuse, Action::Refused),
        ] {
            let kept = decided(unchecked(reason), ValidationMode::Off, setting);
            assert_eq!((kept.action, kept.mode), (expected, None), "{reason} under {setting}");
            assert_eq!(kept.causes().len(), usize::from(expected != Action::Created));
        }
    }
    assert_eq!(
        decided(unchecked(UncheckedReason::Unavailable), ValidationMode::Enforce, UnknownWorkerType::Refuse).action,
        Action::Created
    );
}

#[test]
fn the_header_says_why_nothing_was_checked() {
    let header = |verdict| decided(verdict, ValidationMode::Enforce, UnknownWorkerType::Allow).header();
    assert_eq!(header(valid()), "valid");
    assert_eq!(header(invalid(ValidationMode::Warn)), "invalid");
    assert_eq!(header(unchecked(UncheckedReason::UnknownWorkerType)), "unchecked; reason=unknown-worker-type");
}

#[test]
fn a_long_verdict_loses_errors_from_its_end_and_says_how_many() {
    let errors: Vec<Item> = (0..100).map(|n| Item::new("type", format!("/payload/{n}"), "x".repeat(1000))).collect();
    let long = Verdict { errors, more_errors: 5, ..invalid(ValidationMode::Enforce) };
    let kept = decided(long, ValidationMode::Enforce, UnknownWorkerType::Allow).bounded();
    assert!(serde_json::to_string(&kept.verdict).unwrap().len() <= KEPT_BYTES);
    assert_eq!(kept.verdict.errors.len() + kept.verdict.more_errors, 105);
    assert!(kept.verdict.errors.len() > 10);
    assert_eq!(kept.verdict.errors[0].pointer, "/payload/0");
}
