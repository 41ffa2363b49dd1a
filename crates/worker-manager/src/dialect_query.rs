//! The parameter by which a reader says which draft it can read.

use payload_schema::Target;
use service::{Kind, Parameter, QueryValues};

/// The parameter.
pub(crate) const DIALECT: Parameter = Parameter::optional(
    "dialect",
    Kind::OneOf(&["2020-12", "draft-07"]),
    "Derived and written in this draft; draft-07 for editors that know no later one",
);

/// The draft that was asked for.
pub(crate) fn target(values: &QueryValues) -> Option<Target> {
    values.text("dialect").map(|dialect| if dialect == "draft-07" { Target::Draft07 } else { Target::Draft202012 })
}
