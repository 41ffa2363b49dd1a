//! The parser's refusals in words that say what to do.

use granit_parser::{ErrorKind, ScanError};

pub(super) fn of(error: &ScanError) -> String {
    let advice = match error.kind() {
        ErrorKind::TabInBlockIndentation | ErrorKind::TabInIndentation | ErrorKind::TabNotAllowed => {
            "a tab stands where YAML indents; use spaces"
        }
        ErrorKind::UnknownAnchor => "the alias names an anchor that no node before it has",
        ErrorKind::UnclosedQuotedScalar => "the quoted text that begins here is not closed",
        ErrorKind::UnclosedFlowCollection { open } => return format!("the \"{open}\" that opens here is not closed"),
        ErrorKind::RecursionLimitExceeded => {
            return format!("lists and mappings are nested more than {} deep", super::super::DEPTH);
        }
        ErrorKind::UnexpectedCharacter { character } => {
            return format!("{character:?} cannot begin a value here; quote the text");
        }
        ErrorKind::ExpectedBlockMappingKey => "a key was expected here; is the line indented as its neighbours are?",
        ErrorKind::UnknownQuotedScalarEscape => {
            "an unknown escape in double quotes; double the backslash, or use single quotes"
        }
        _ => return error.info(),
    };
    advice.to_owned()
}
