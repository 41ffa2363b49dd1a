//! The known order of one worker type's generations, held against the times of the requests.

use super::{Judged, Line, shown};
use crate::robustness::record::{Operation, Outcome, Run};
use std::collections::BTreeMap;

/// How long after a trouble a replica may need to find back to its database, in microseconds.
const AFTERMATH: u64 = 2_000_000;

/// A moment between the request and the answer of one operation, at which it saw or made a generation.
#[derive(Clone, Copy)]
struct Moment<'a> {
    operation: &'a Operation,
    /// The newest generation then.
    newest: u64,
    /// The newest generation the moment before.
    before: u64,
    /// When it was over for certain: what nobody answered may have been made at any time.
    ended: Option<u64>,
}

/// The newest generation that was seen or made until some time, and by whom.
type Newest<'a> = Option<Moment<'a>>;

/// What one replica has let on of one worker type until some time.
#[derive(Clone, Copy, Default)]
struct LetOn<'a> {
    shown: Newest<'a>,
    acknowledged: Newest<'a>,
}

impl Line<'_> {
    /// Pairs of requests, one after the other, of which the later is behind the earlier.
    pub(super) fn times(&self, judged: &mut Judged) {
        let dense = self.made.keys().copied().eq(1..=self.made.len() as u64);
        judged.faults.extend((!dense).then(|| format!("the generations are {:?}", self.made.keys())));
        let mut by_start: Vec<Moment<'_>> =
            self.operations.iter().filter_map(|operation| self.moment(operation)).collect();
        by_start.sort_by_key(|moment| moment.operation.started);
        let mut by_end: Vec<(u64, Moment<'_>)> =
            by_start.iter().filter_map(|moment| Some((moment.ended?, *moment))).collect();
        by_end.sort_by_key(|(ended, _)| *ended);
        let mut ended = by_end.into_iter().peekable();
        // What was so for certain before the moment that is looked at.
        let mut known: Newest<'_> = None;
        let mut let_on: BTreeMap<usize, LetOn<'_>> = BTreeMap::new();
        for later in by_start {
            while let Some((_, earlier)) = ended.next_if(|(ended, _)| *ended < later.operation.started) {
                newer(&mut known, earlier);
                let replica = let_on.entry(earlier.operation.replica).or_default();
                match earlier.operation.is_write() {
                    // What a write was refused for is in the database, and need not have come here yet.
                    true if earlier.operation.was_refused() => {}
                    true => newer(&mut replica.acknowledged, earlier),
                    false => newer(&mut replica.shown, earlier),
                }
            }
            let replica = let_on.get(&later.operation.replica).copied().unwrap_or_default();
            let bounds = match later.operation.is_write() {
                true => [known, None],
                false => [replica.shown, replica.acknowledged.filter(|earlier| self.has_to_show(&later, earlier))],
            };
            let behind = bounds.into_iter().flatten().find(|earlier| earlier.newest > later.before);
            judged.fact(behind.map(|earlier| {
                let (later, newest, earlier) = (later.operation, earlier.newest, earlier.operation);
                format!("{later:?} is behind generation {newest} of {earlier:?}, which had ended")
            }));
        }
    }

    fn moment<'a>(&self, operation: &'a Operation) -> Option<Moment<'a>> {
        if let Some(newest) = self.made_by(operation) {
            let ended = operation.made().map(|_| operation.ended);
            return Some(Moment { operation, newest, before: newest.saturating_sub(1), ended });
        }
        let newest = shown(operation)?;
        Some(Moment { operation, newest, before: newest, ended: Some(operation.ended) })
    }

    /// A replica that is cut off right after a commit may not have seen what others wrote just before it. Its reads say
    /// that they may be old then; that there is nothing, it says without an age.
    fn has_to_show(&self, read: &Moment<'_>, write: &Moment<'_>) -> bool {
        match &read.operation.outcome {
            Outcome::Live(live) => !live.stale,
            _ => !was_cut_off(self.run, read.operation.replica, write.operation.started, read.operation.ended),
        }
    }
}

fn newer<'a>(newest: &mut Newest<'a>, moment: Moment<'a>) {
    if newest.is_none_or(|known| known.newest < moment.newest) {
        *newest = Some(moment);
    }
}

fn was_cut_off(run: &Run, replica: usize, from: u64, to: u64) -> bool {
    run.troubles
        .iter()
        .filter(|made| made.struck(replica) && made.trouble.is_of_the_network())
        .any(|made| made.started < to && made.ended + AFTERMATH > from)
}
