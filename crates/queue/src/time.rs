//! Times as tasks carry them: read as RFC 3339, written as Taskcluster's queue writes them, to the millisecond.

use jiff::{Timestamp, civil::DateTime};

/// Reads a `date-time` of RFC 3339 §5.6, to the millisecond below it. A leap second is read as the second before it, and
/// the last moments of the year 9999 as the last that can be counted.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let (before, offset) = text.split_at_checked(19)?;
    let digits = |from: usize, to: usize| before.as_bytes()[from..to].iter().all(u8::is_ascii_digit);
    let at = |index: usize| before.as_bytes()[index];
    let is_date_time =
        digits(0, 4) && digits(5, 7) && digits(8, 10) && digits(11, 13) && digits(14, 16) && digits(17, 19);
    let is_separated = (at(4), at(7), at(13), at(16)) == (b'-', b'-', b':', b':') && matches!(at(10), b'T' | b't');
    let (fraction, offset) = split_fraction(offset)?;
    if !is_date_time || !is_separated || !is_offset(offset) {
        return None;
    }
    let milliseconds = format!("{fraction:0<3}");
    let text = format!("{before}.{}{offset}", &milliseconds[..3]);
    let is_last = || before.starts_with("9999-12-3") && before.parse::<DateTime>().is_ok();
    let last = Timestamp::from_second(Timestamp::MAX.as_second());
    text.to_ascii_uppercase().parse().or_else(|error| if is_last() { last } else { Err(error) }).ok()
}

/// Splits `.678Z` into `678` and `Z`.
fn split_fraction(text: &str) -> Option<(&str, &str)> {
    let Some(rest) = text.strip_prefix('.') else { return Some(("", text)) };
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit())?;
    (end > 0).then(|| rest.split_at(end))
}

/// `Z`, or `+hh:mm` within a day.
fn is_offset(text: &str) -> bool {
    match text.as_bytes() {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', hours @ .., b':', _, _] if hours.len() == 2 => {
            let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u8>().ok());
            let (hours, minutes) = (number(&text[1..3]).flatten(), number(&text[4..6]).flatten());
            hours.is_some_and(|hours| hours < 24) && minutes.is_some_and(|minutes| minutes < 60)
        }
        _ => false,
    }
}

/// RFC 3339 in UTC with milliseconds: `2027-01-02T03:04:05.678Z`.
pub(crate) fn format(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// The moment that many microseconds after 1970, as rows keep it.
pub(crate) fn from_row(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds).unwrap_or(if microseconds < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

#[cfg(test)]
mod tests {
    use super::{format, parse};

    fn read(text: &str) -> Option<String> {
        parse(text).map(format)
    }

    #[test]
    fn times_of_rfc_3339_are_read_and_written_in_milliseconds() {
        // The examples of RFC 3339 §5.8, and what JavaScript's Date.toJSON makes of them.
        for (given, written) in [
            ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
            ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
            ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
            ("2027-01-02t03:04:05z", "2027-01-02T03:04:05.000Z"),
            ("2027-01-02T03:04:05.6789999999999Z", "2027-01-02T03:04:05.678Z"),
            ("2027-01-02T03:04:05.6789-00:00", "2027-01-02T03:04:05.678Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-30T22:00:00.000Z"),
        ] {
            assert_eq!(read(given).as_deref(), Some(written), "{given}");
        }
        assert!(read("1990-12-31T23:59:60Z").is_some());
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "tomorrow",
            "2027-01-02",
            "2027-01-02T03:04:05",
            "2027-01-02 03:04:05Z",
            "2027-01-02T03:04Z",
            "2027-01-02T03:04:05.Z",
            "2027-01-02T03:04:05,5Z",
            "2027-01-02T03:04:05+01",
            "2027-01-02T03:04:05+0100",
            "2027-01-02T03:04:05+24:00",
            "2027-01-02T03:04:05+01:60",
            "2027-01-02T03:04:05Z[UTC]",
            "2027-02-29T03:04:05Z",
            "2027-13-01T03:04:05Z",
            "2027-01-02T24:00:00Z",
            "2027-01-02T03:60:00Z",
            "+002027-01-02T03:04:05Z",
            "2027-01-02T03:04:0éZ",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
