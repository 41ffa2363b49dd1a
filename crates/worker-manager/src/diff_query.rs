//! Between which revisions the difference is asked for: of the API, and of the page that shows it.

use service::{Kind, Parameter, QueryFields, QueryValues, Refusal};
use worker_types::RevisionNumber;

/// `?from=3&to=1`; either may be the newer.
pub struct DiffQuery {
    /// Where the difference begins.
    pub from: RevisionNumber,
    /// Where it leads to.
    pub to: RevisionNumber,
}

impl QueryFields for DiffQuery {
    const FIELDS: &'static [Parameter] = &[
        Parameter::required("from", Kind::Integer(1, u32::MAX as u64), "The revision that the difference begins with"),
        Parameter::required("to", Kind::Integer(1, u32::MAX as u64), "The revision that it leads to"),
    ];

    fn read(values: &QueryValues) -> Result<Self, Refusal> {
        let number = |name| values.parsed(name).map(|number| number.unwrap_or(RevisionNumber(1)));
        Ok(Self { from: number("from")?, to: number("to")? })
    }
}
