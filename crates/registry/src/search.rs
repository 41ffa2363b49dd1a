//! Finding worker types as people look for them: by words that stand anywhere, counted, with what was changed last first
//! if they like. Nothing is indexed; ten thousand worker types are looked through in some milliseconds.

use crate::list::ListFilter;
use crate::live::{Entry, LiveWorkerType};
use crate::read::Live;
use crate::registry::Registry;
use crate::snapshot::Snapshot;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError};
use worker_types::Caller;

/// How what is found is ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By id.
    #[default]
    Id,
    /// What was published last first.
    Changed,
}

/// A part of what was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many there are in all.
    pub total: usize,
    /// The part.
    pub worker_types: Vec<Live>,
}

/// Where the words of a search stand beside what a list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A payload property.
    Property {
        /// The index of the newest revision's variant that has it.
        variant: usize,
        /// From the payload on, as `artifacts[].name`.
        path: String,
    },
    /// The documentation.
    Documentation,
}

/// What can be filtered by, each with how many live worker types have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// The parts of ids before the slash.
    pub provisioners: BTreeMap<String, usize>,
    /// Names of implementations.
    pub implementations: BTreeMap<String, usize>,
    /// Tags.
    pub tags: BTreeMap<String, usize>,
}

/// The words of a query, in lower case. Every one must be found.
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn new(query: &str) -> Self {
        Self(query.to_lowercase().split_whitespace().map(str::to_owned).collect())
    }

    pub(crate) fn are_in_summary(&self, live: &LiveWorkerType) -> bool {
        self.0.iter().all(|word| live.searched_summary().contains(word.as_str()))
    }
}

/// Words that may also stand in payload properties and documentation.
struct Anywhere<'w> {
    words: &'w [String],
    /// For each word, the releases that it stands in.
    releases: Vec<HashSet<String>>,
}

impl<'w> Anywhere<'w> {
    fn new(words: &'w Words, snapshot: &Snapshot) -> Self {
        let texts: Vec<(String, &str)> =
            snapshot.releases.values().map(|live| (live.record.id.to_string(), live.searched())).collect();
        let having = |word: &String| {
            texts.iter().filter(|(_, text)| text.contains(word.as_str())).map(|(id, _)| id.clone()).collect()
        };
        Self { words: &words.0, releases: words.0.iter().map(having).collect() }
    }

    /// `reads` says whether the caller may read more of it than lists show.
    fn are_in(&self, live: &LiveWorkerType, reads: bool) -> bool {
        self.words.iter().zip(&self.releases).all(|(word, releases)| {
            live.searched_summary().contains(word.as_str())
                || reads
                    && (live.payload_schemas().any(|(_, schema)| schema.has_property(word))
                        || live.searched_documentation.as_ref().is_some_and(|text| text.contains(word.as_str()))
                        || live.summary.releases.iter().any(|release| releases.contains(release)))
        })
    }
}

/// Which worker types a caller may read.
struct Reading<'c> {
    caller: &'c Caller,
    all: bool,
}

impl<'c> Reading<'c> {
    const STEM: &'static str = "worker-manager:get:";

    fn new(caller: &'c Caller) -> Self {
        Self { caller, all: caller.has_all_below(Self::STEM) }
    }

    fn may(&self, live: &LiveWorkerType) -> bool {
        self.all || self.caller.has(&format!("{}{}", Self::STEM, live.record.id))
    }
}

impl Registry {
    /// A part of the live worker types that `filter` takes; its words may stand anywhere: in payload properties and in
    /// documentation, too, of what the caller may read.
    pub fn search(&self, caller: &Caller, filter: &ListFilter, order: Order, skip: usize, limit: usize) -> Found {
        let snapshot = self.snapshot();
        let words = Words::new(filter.query.as_deref().unwrap_or_default());
        let anywhere = Anywhere::new(&words, &snapshot);
        let reading = Reading::new(caller);
        let fits = |live: &LiveWorkerType| self.takes(filter, live) && anywhere.are_in(live, reading.may(live));
        let entries = snapshot.worker_types.values();
        let mut found: Vec<_> = entries.filter(|entry| matches!(&***entry, Entry::Live(live) if fits(live))).collect();
        if order == Order::Changed {
            found.sort_by_key(|entry| match &***entry {
                Entry::Live(live) => Reverse(Some(live.revision.published_at)),
                Entry::Tombstone(_) => Reverse(None),
            });
        }
        let total = found.len();
        Found { total, worker_types: found.into_iter().skip(skip).take(limit).cloned().map(Live::of).collect() }
    }

    /// Where the words of `query` stand that no list shows, as far as the caller may know.
    pub fn places(&self, caller: &Caller, live: &LiveWorkerType, query: &str) -> Vec<Place> {
        let words = Words::new(query);
        let mut places = Vec::new();
        if !Reading::new(caller).may(live) {
            return places;
        }
        for word in words.0.iter().filter(|word| !live.searched_summary().contains(word.as_str())) {
            let property = live.payload_schemas().find_map(|(variant, schema)| Some((variant, schema.property(word)?)));
            let place = property
                .map_or(Place::Documentation, |(variant, path)| Place::Property { variant, path: path.to_owned() });
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What can be filtered by: counted once for each state of the registry.
    pub fn facets(&self) -> Arc<Facets> {
        let snapshot = self.snapshot();
        let mut known = self.facets.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((counted_at, facets)) if *counted_at == snapshot.cursor() => facets.clone(),
            _ => {
                let facets = Arc::new(Facets::of(&snapshot));
                *known = Some((snapshot.cursor(), facets.clone()));
                facets
            }
        }
    }
}

impl Facets {
    fn of(snapshot: &Snapshot) -> Self {
        let mut facets = Self::default();
        for entry in snapshot.worker_types.values() {
            let Entry::Live(live) = &**entry else { continue };
            let summary = &live.summary;
            count(&mut facets.provisioners, live.record.id.provisioner_id());
            let mut names: Vec<&str> = summary.implementations.iter().map(|(name, _)| name.as_str()).collect();
            names.dedup();
            names.into_iter().for_each(|name| count(&mut facets.implementations, name));
            summary.tags.iter().for_each(|tag| count(&mut facets.tags, tag));
        }
        facets
    }
}

fn count(counts: &mut BTreeMap<String, usize>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_owned(), 1);
        }
    }
}
