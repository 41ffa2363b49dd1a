//! Numbers by their mathematical value, from the digits that stood in the text: nothing is rounded.

use serde_json::Number;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// `±0.d₁d₂… × 10^scale`, without leading or trailing zeros; zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    negative: bool,
    digits: SmallVec<[u8; 24]>,
    scale: i64,
}

impl Decimal {
    /// Digits of a divisor, at most, zeros at the ends not counted.
    pub(crate) const DIVISOR_DIGITS: usize = 18;

    pub(crate) fn new(number: &Number) -> Self {
        Self::parse(number.as_str())
    }

    /// `text` is a JSON number. An exponent beyond 64 bits is taken as the farthest one that fits.
    fn parse(text: &str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        let leading = all().take_while(|digit| *digit == b'0').count();
        let trailing = all().rev().take_while(|digit| *digit == b'0').count();
        let length = whole.len() + fraction.len();
        if leading == length {
            return Self { negative: false, digits: SmallVec::new(), scale: 0 };
        }
        let digits = all().skip(leading).take(length - leading - trailing).map(|digit| digit - b'0').collect();
        let shift = i64::try_from(whole.len()).unwrap_or(i64::MAX) - i64::try_from(leading).unwrap_or(i64::MAX);
        Self { negative, digits, scale: exponent_of(exponent).saturating_add(shift) }
    }

    /// The power of ten of the last digit.
    fn exponent(&self) -> i64 {
        self.scale.saturating_sub(i64::try_from(self.digits.len()).unwrap_or(i64::MAX))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.digits.is_empty() || self.exponent() >= 0
    }

    /// The greatest integer that is not greater, and whether it is equal; none beyond 36 digits.
    pub(crate) fn floor(&self) -> Option<(i128, bool)> {
        if self.scale > 36 {
            return None;
        }
        let places = usize::try_from(self.scale.max(0)).ok()?;
        let digits = (0..places).map(|place| self.digits.get(place).copied().unwrap_or(0));
        let whole = digits.fold(0, |whole: i128, digit| whole * 10 + i128::from(digit));
        let exact = self.is_integer();
        Some((if self.negative { -whole - i128::from(!exact) } else { whole }, exact))
    }

    /// Whether this is an integer times `divisor`; none where the divisor has too many digits to tell, or is zero.
    pub(crate) fn is_multiple_of(&self, divisor: &Self) -> Option<bool> {
        if self.digits.is_empty() {
            return Some(true);
        }
        // What is nearer to zero than the divisor is no multiple, however many digits that has.
        let magnitude = |number: &Self| Self { negative: false, ..number.clone() };
        match magnitude(self).cmp(&magnitude(divisor)) {
            Ordering::Less => return Some(false),
            Ordering::Equal => return Some(true),
            Ordering::Greater => {}
        }
        let modulus = divisor.coefficient()?;
        // Neither coefficient ends in a zero, so a power of ten that is missing cannot come out of the digits.
        let Ok(power) = u64::try_from(self.exponent().saturating_sub(divisor.exponent())) else {
            return Some(false);
        };
        let coefficient = self.digits.iter().fold(0, |rest, digit| (rest * 10 + u128::from(*digit)) % modulus);
        Some((coefficient * power_of_ten(power, modulus)).is_multiple_of(modulus))
    }

    /// Whether [`Self::is_multiple_of`] this can be told of every number.
    pub(crate) fn divides_exactly(&self) -> bool {
        self.coefficient().is_some()
    }

    /// The digits as a number, where they fit into 63 bits and are not zero.
    fn coefficient(&self) -> Option<u128> {
        if self.digits.is_empty() || self.digits.len() > Self::DIVISOR_DIGITS {
            return None;
        }
        Some(self.digits.iter().fold(0, |value, digit| value * 10 + u128::from(*digit)))
    }
}

fn exponent_of(text: &str) -> i64 {
    text.trim_start_matches('+').parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX })
}

fn power_of_ten(mut exponent: u64, modulus: u128) -> u128 {
    let (mut base, mut power) = (10 % modulus, 1 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    power
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_magnitude = || self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => by_magnitude(),
            _ => by_magnitude().reverse(),
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use std::cmp::Ordering;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text)
    }

    #[test]
    fn one_value_written_in_several_ways_is_one_number() {
        for (left, right) in
            [("1", "1.0"), ("10", "1e1"), ("0.1", "1E-1"), ("-0", "0.00"), ("100e-2", "1"), ("0e9", "0")]
        {
            assert_eq!(number(left), number(right));
        }
        assert_ne!(number("9007199254740992"), number("9007199254740993"));
    }

    #[test]
    fn compares_by_value() {
        let ascending = ["-1e400", "-2", "-1.5", "0", "1e-400", "0.1", "0.10000000000000000001", "9", "10", "1e400"];
        for (index, left) in ascending.iter().enumerate() {
            for (other, right) in ascending.iter().enumerate() {
                assert_eq!(number(left).cmp(&number(right)), index.cmp(&other), "{left} {right}");
            }
        }
        assert_eq!(number("1e99999999999999999999").cmp(&number("1")), Ordering::Greater);
        assert_eq!(number("1e-99999999999999999999").cmp(&number("1")), Ordering::Less);
    }

    #[test]
    fn integers_are_numbers_without_a_fraction() {
        assert!(
            ["3600.0", "1e3", "0", "-5", "1.5e1", "123456789012345678901234567890"]
                .map(number)
                .iter()
                .all(Decimal::is_integer)
        );
        assert!(!["0.5", "1e-1", "15e-1"].map(number).iter().any(Decimal::is_integer));
    }

    #[test]
    fn the_floor_is_the_next_integer_below() {
        for (text, floor) in [
            ("0", (0, true)),
            ("1.5", (1, false)),
            ("-1.5", (-2, false)),
            ("-3", (-3, true)),
            ("120", (120, true)),
            ("1e-9", (0, false)),
            ("-1e-9", (-1, false)),
            ("9007199254740993", (9_007_199_254_740_993, true)),
        ] {
            assert_eq!(number(text).floor(), Some(floor), "{text}");
        }
        assert_eq!(number("1e40").floor(), None);
    }

    #[test]
    fn multiples_are_exact() {
        let multiple = |left: &str, right: &str| number(left).is_multiple_of(&number(right));
        for cents in 0..400 {
            assert_eq!(multiple(&format!("{}.{:02}", cents / 100, cents % 100), "0.01"), Some(true));
        }
        assert_eq!(multiple("0.015", "0.01"), Some(false));
        assert_eq!(multiple("1e2000000", "3"), Some(false));
        assert_eq!(multiple("1e2000000", "0.5"), Some(true));
        assert_eq!(multiple("9007199254740993", "2"), Some(false));
        assert_eq!(multiple("-9", "1.5"), Some(true));
        assert_eq!(multiple("0", "7"), Some(true));
        assert_eq!(multiple("5", "0"), None);
        let many_digits = "123456789012345678901234567890";
        assert_eq!((multiple("2", many_digits), multiple("-2", many_digits)), (Some(false), Some(false)));
        assert_eq!(multiple(&format!("-{many_digits}"), many_digits), Some(true));
    }
}
