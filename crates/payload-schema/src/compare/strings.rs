//! Whether there is a text that matches some regular expressions and not others: decided by running their automata side
//! by side, which also finds the text.

use super::fuel::Fuel;
use regex_automata::Input;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// States that are looked at together.
const STATES: usize = 4_000;
/// Bytes of one automaton.
const BYTES: usize = 1 << 20;
/// The longest text whose length is counted exactly.
const LENGTH: usize = 70;
/// Every text is Unicode.
const UNICODE: &str = r"\A(?s:.)*\z";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// Such a text.
    Found(String),
    /// There is none.
    Nothing,
    /// It was too much.
    TooHard,
}

/// What is asked of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    /// Translated expressions that match.
    pub(super) matches: Vec<String>,
    /// Translated expressions that do not match.
    pub(super) mismatches: Vec<String>,
    /// Characters, at least and at most.
    pub(super) least: usize,
    pub(super) most: Option<usize>,
}

/// Automata that were built, and answers that were found.
#[derive(Default)]
pub(super) struct Strings {
    automata: RefCell<HashMap<String, Option<Rc<Dfa>>>>,
    answers: RefCell<HashMap<Wanted, Search>>,
}

type Dfa = dense::DFA<Vec<u32>>;

impl Strings {
    pub(super) fn find(&self, fuel: &Fuel, wanted: &Wanted) -> Search {
        if let Some(known) = self.answers.borrow().get(wanted) {
            return known.clone();
        }
        let found = self.search(fuel, wanted);
        self.answers.borrow_mut().insert(wanted.clone(), found.clone());
        found
    }

    fn search(&self, fuel: &Fuel, wanted: &Wanted) -> Search {
        if wanted.most.is_some_and(|most| most < wanted.least) {
            return Search::Nothing;
        }
        let expressions = wanted.matches.iter().chain(&wanted.mismatches).map(String::as_str).chain([UNICODE]);
        if !fuel.take(2_000) {
            return Search::TooHard;
        }
        let Some(automata) = expressions.map(|text| self.automaton(text)).collect::<Option<Vec<_>>>() else {
            return Search::TooHard;
        };
        Product { automata, wanted, exact: true }.search(fuel)
    }

    fn automaton(&self, text: &str) -> Option<Rc<Dfa>> {
        let build = || {
            let config = dense::Config::new()
                .start_kind(StartKind::Unanchored)
                .dfa_size_limit(Some(BYTES))
                .determinize_size_limit(Some(4 * BYTES));
            dense::Builder::new().configure(config).build(text).ok().map(Rc::new)
        };
        self.automata.borrow_mut().entry(text.to_owned()).or_insert_with(build).clone()
    }
}

/// One automaton's state: whether it has matched already, then nothing else counts.
type State = Option<StateID>;

/// All automata's states, and the characters so far as far as they count.
type Together = (Vec<State>, usize);

struct Product<'a> {
    automata: Vec<Rc<Dfa>>,
    wanted: &'a Wanted,
    /// Whether lengths were counted exactly.
    exact: bool,
}

impl Product<'_> {
    fn search(mut self, fuel: &Fuel) -> Search {
        let Some(start) = self.start() else { return Search::TooHard };
        let mut found: Vec<(Together, Option<(usize, u8)>)> = vec![(start.clone(), None)];
        let mut known: HashMap<Together, usize> = HashMap::from([(start, 0)]);
        let mut pending = VecDeque::from([0]);
        while let Some(index) = pending.pop_front() {
            let (together, _) = found[index].clone();
            // A state is left by each of the 256 bytes.
            if !fuel.take(100 * self.automata.len()) {
                return Search::TooHard;
            }
            if self.is_wanted(&together) {
                return text(&found, index).map_or(Search::TooHard, Search::Found);
            }
            for byte in BYTE_ORDER {
                let Some(next) = self.step(&together, byte) else { continue };
                if known.contains_key(&next) {
                    continue;
                }
                if found.len() >= STATES {
                    return Search::TooHard;
                }
                known.insert(next.clone(), found.len());
                pending.push_back(found.len());
                found.push((next, Some((index, byte))));
            }
        }
        if self.exact { Search::Nothing } else { Search::TooHard }
    }

    fn start(&self) -> Option<Together> {
        let start = |dfa: &Rc<Dfa>| {
            let state = dfa.start_state_forward(&Input::new("")).ok()?;
            Some(Some(state).filter(|state| !dfa.is_match_state(*state)))
        };
        Some((self.automata.iter().map(start).collect::<Option<Vec<_>>>()?, 0))
    }

    /// The states after one more byte; none where the text can no longer become what is wanted.
    fn step(&mut self, (states, length): &Together, byte: u8) -> Option<Together> {
        let mut next = Vec::with_capacity(states.len());
        for (index, (dfa, state)) in self.automata.iter().zip(states).enumerate() {
            let Some(state) = state else {
                next.push(None);
                continue;
            };
            let after = dfa.next_state(*state, byte);
            let matched = dfa.is_match_state(after);
            if dfa.is_quit_state(after) || (matched && self.must_not_match(index)) {
                return None;
            }
            if dfa.is_dead_state(after) && !self.must_not_match(index) {
                return None;
            }
            next.push(if matched { None } else { Some(after) });
        }
        let counts = byte & 0xC0 != 0x80;
        let length = if counts { length + 1 } else { *length };
        if self.wanted.most.is_some_and(|most| length > most) {
            return None;
        }
        let bound = self.wanted.most.map_or(self.wanted.least, |most| most.saturating_add(1));
        if bound > LENGTH {
            self.exact = false;
        }
        Some((next, length.min(bound.min(LENGTH))))
    }

    fn must_not_match(&self, index: usize) -> bool {
        (self.wanted.matches.len()..self.wanted.matches.len() + self.wanted.mismatches.len()).contains(&index)
    }

    /// Whether the text so far is what is wanted.
    fn is_wanted(&self, (states, length): &Together) -> bool {
        let matches = |(dfa, state): (&Rc<Dfa>, &State)| match state {
            None => true,
            Some(state) => dfa.is_match_state(dfa.next_eoi_state(*state)),
        };
        *length >= self.wanted.least.min(LENGTH)
            && self
                .automata
                .iter()
                .zip(states)
                .enumerate()
                .all(|(index, pair)| matches(pair) != self.must_not_match(index))
    }
}

/// Letters first: what is found is shown to people.
const BYTE_ORDER: [u8; 256] = byte_order();

const fn byte_order() -> [u8; 256] {
    let mut order = [0; 256];
    let (mut at, mut byte) = (0, 0);
    // From `a` to `~`, then from the start to `` ` ``, then the rest.
    while byte < 256 {
        order[at] = match byte {
            0..30 => 97 + byte as u8,
            30..95 => 32 + (byte as u8 - 30),
            95..127 => byte as u8 - 95,
            _ => byte as u8,
        };
        at += 1;
        byte += 1;
    }
    order
}

fn text(found: &[(Together, Option<(usize, u8)>)], mut index: usize) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some((before, byte)) = found[index].1 {
        bytes.push(byte);
        index = before;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{BYTE_ORDER, Fuel, Search, Strings, Wanted};

    fn find(matches: &[&str], mismatches: &[&str]) -> Search {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Strings::default().find(
            &Fuel::new(u64::MAX),
            &Wanted { matches: owned(matches), mismatches: owned(mismatches), ..Wanted::default() },
        )
    }

    #[test]
    fn every_byte_has_its_turn() {
        let mut sorted = BYTE_ORDER;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(index, byte)| index == usize::from(*byte)));
    }

    #[test]
    fn inclusion_of_expressions_is_decided() {
        assert_eq!(find(&["^[a-f]{1,3}$"], &["^[a-z]+$"]), Search::Nothing);
        assert_eq!(find(&["^[a-z]{1,3}$"], &["^[a-f]+$"]), Search::Found("g".to_owned()));
        assert_eq!(find(&["foo"], &["o"]), Search::Nothing);
        assert_eq!(find(&[], &[""]), Search::Nothing);
        assert_eq!(find(&[], &["(?s).*"]), Search::Nothing);
        assert_eq!(find(&["^x-", "-y$"], &[]), Search::Found("x-y".to_owned()));
        assert_eq!(find(&["^x", "^y"], &[]), Search::Nothing);
        assert!(
            matches!(find(&[], &["^[ -~]*$"]), Search::Found(text) if !text.is_ascii() || text.bytes().any(|byte| byte < 32 || byte == 127))
        );
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        let find = |matches: &[&str], least, most| {
            let matches = matches.iter().map(|text| (*text).to_owned()).collect();
            Strings::default().find(&Fuel::new(u64::MAX), &Wanted { matches, least, most, ..Wanted::default() })
        };
        assert_eq!(find(&["^(ab)*$"], 3, None), Search::Found("abab".to_owned()));
        assert_eq!(find(&["^(ab)*$"], 3, Some(3)), Search::Nothing);
        assert_eq!(find(&["^ü{2}$"], 2, Some(2)), Search::Found("üü".to_owned()));
        assert_eq!(find(&["^a{2,}$"], 0, Some(1)), Search::Nothing);
        assert_eq!(find(&[], 3, Some(2)), Search::Nothing);
    }
}
