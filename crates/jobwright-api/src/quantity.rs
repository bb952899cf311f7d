//! Amounts of resources: `500m`, `1.5Gi`, `1e3`, as the API reads, compares and prints them.
//!
//! Invariant: an amount is kept in billionths, rounded away from zero as upstream does; what is beyond the
//! range of the API is cut to the nearest amount that can be kept.

use serde_json::Value;

/// Billionths in one.
const ONE: u128 = 1_000_000_000;
/// Billionths in a thousandth.
const MILLI: u128 = 1_000_000;
/// Above this binary amounts are cut.
const BINARY_MAX: u128 = ONE * i64::MAX as u128;
/// The suffixes of powers of 1000, from the one of 10⁻⁹ on.
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// The suffixes of powers of 1024, from the first on.
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// How an amount was written, and how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// `12k`
    Decimal,
    /// `12e3`
    Exponent,
    /// `12Ki`
    Binary,
}

/// An amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    negative: bool,
    billionths: u128,
    format: Format,
    /// Written so long that upstream does not count in 64 bits.
    is_long: bool,
}

impl Quantity {
    /// Reads a text; `None` if it is no quantity.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, size) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let end = size.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(size.len());
        let (number, suffix) = size.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0 || fraction.contains('.') {
            return None;
        }
        let (format, factor, shift) = scale(suffix)?;
        let billionths = digits(whole, fraction, factor, 9 + shift);
        let billionths = billionths.min(if format == Format::Binary { BINARY_MAX } else { u128::MAX / ONE * ONE });
        let digits = whole.trim_start_matches('0').len().max(1) + fraction.len();
        let is_long = match format {
            // A power of 1024 counts as three digits.
            Format::Binary => !fraction.is_empty() || digits + 3 * (factor.trailing_zeros() as usize / 10) > 14,
            _ => digits > 18,
        };
        Some(Self { negative, billionths, format, is_long })
    }

    /// Takes a number or a text; anything else, and a text that is no quantity, is zero.
    pub(crate) fn of(value: Option<&Value>) -> Self {
        let zero = Self { negative: false, billionths: 0, format: Format::Decimal, is_long: false };
        match value {
            Some(Value::String(text)) => Self::parse(text.trim()).unwrap_or(zero),
            Some(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => {
                    Self { negative: whole < 0, billionths: ONE * u128::from(whole.unsigned_abs()), ..zero }
                }
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast to an integer cuts")]
                (None, Some(float)) => {
                    Self { negative: float < 0.0, billionths: (float.abs() * 1e9).round() as u128, ..zero }
                }
                _ => zero,
            },
            _ => zero,
        }
    }

    /// The same in thousandths, rounded away from zero: what defaulting does to resource lists.
    pub(crate) fn rounded(self) -> Self {
        Self { billionths: self.billionths.div_ceil(MILLI).saturating_mul(MILLI), ..self }
    }

    /// As an error shows it: an amount whose text needs no work is shown as it stands in the manifest, else this one.
    pub(crate) fn shown(self, written: Option<&Value>) -> String {
        match written {
            Some(Value::String(text)) if !self.is_long && stays(text.trim()) => text.trim().to_owned(),
            _ => self.to_string(),
        }
    }

    /// The sum; it is printed as the first amount that is not zero was written.
    pub(crate) fn plus(self, other: Self) -> Self {
        let signed = |amount: Self| {
            let size = i128::try_from(amount.billionths).unwrap_or(i128::MAX);
            if amount.negative { -size } else { size }
        };
        let sum = signed(self).saturating_add(signed(other));
        let format = if self.billionths == 0 { other.format } else { self.format };
        Self { negative: sum < 0, billionths: sum.unsigned_abs(), format, is_long: self.is_long || other.is_long }
    }

    /// The amount without its sign, in billionths.
    pub(crate) fn size(self) -> u128 {
        self.billionths
    }

    /// Whether it is below zero.
    pub(crate) fn is_negative(self) -> bool {
        self.negative && self.billionths > 0
    }

    /// Whether it is a whole number. Upstream looks at thousandths, and of a long amount at their last 64 bits only.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "upstream cuts as well")]
    pub(crate) fn is_whole(self) -> bool {
        let thousandths = self.billionths / MILLI;
        if self.is_long && thousandths > i64::MAX as u128 {
            return (thousandths as u64 as i64) % 1000 == 0;
        }
        self.billionths.is_multiple_of(ONE)
    }

    /// Whether it is more than another amount.
    pub(crate) fn is_above(self, other: Self) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (false, false) => self.billionths > other.billionths,
            (true, true) => self.billionths < other.billionths,
            (mine, _) => !mine,
        }
    }
}

/// Whether upstream keeps the text of an amount: few digits, no zeros at its ends, and a suffix that fits.
fn stays(text: &str) -> bool {
    let size = text.trim_start_matches(['+', '-']);
    let end = size.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(size.len());
    let (number, suffix) = size.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let digits = [whole, fraction].concat();
    match scale(suffix) {
        Some((Format::Binary, ..)) => digits.parse::<u64>().is_ok_and(|number| number % 8 != 0),
        Some((_, _, shift)) => {
            let places = i32::try_from(fraction.len()).map_or(i32::MAX, |length| shift - length);
            places >= -3 && places % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0')
        }
        None => false,
    }
}

/// The format, the binary factor and the decimal places of a suffix.
fn scale(suffix: &str) -> Option<(Format, u128, i32)> {
    if let Some(at) = (-3_i32..).zip(DECIMAL).find_map(|(at, known)| (known == suffix).then_some(at)) {
        return Some((Format::Decimal, 1, 3 * at));
    }
    if let Some(power) = BINARY.iter().position(|known| *known == suffix) {
        return Some((Format::Binary, 1 << (10 * (power + 1)), 0));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    Some((Format::Exponent, 1, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i16>().ok()?.into()))
}

/// The digits of a number times a factor, moved left by some places; what is cut off rounds up.
fn digits(whole: &str, fraction: &str, factor: u128, places: i32) -> u128 {
    let (mut sum, mut left, mut more) = (0_u128, places, false);
    for (byte, behind_point) in whole.bytes().map(|b| (b, false)).chain(fraction.bytes().map(|b| (b, true))) {
        if left <= 0 && behind_point {
            more |= byte != b'0';
            continue;
        }
        left -= i32::from(behind_point);
        sum = sum.saturating_mul(10).saturating_add(u128::from(byte - b'0') * factor);
    }
    // A fraction that is cut counts little where the factor is large, but an amount is never lost.
    for _ in 0..left.clamp(0, 40) {
        sum = sum.saturating_mul(10);
    }
    for _ in 0..(-left).clamp(0, 40) {
        more |= !sum.is_multiple_of(10);
        sum /= 10;
    }
    sum.saturating_add(u128::from(more))
}

/// In canonical form: `1000m` as `1`, `1024Mi` as `1Gi`, `0.5Gi` as `512Mi`.
impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.billionths == 0 {
            return f.write_str("0");
        }
        let is_binary =
            self.format == Format::Binary && self.billionths.is_multiple_of(ONE) && self.billionths >= 1024 * ONE;
        let (mut size, base, top) = if is_binary {
            (self.billionths / ONE, 1024, BINARY.len())
        } else {
            (self.billionths, 1000, DECIMAL.len() - 1)
        };
        let mut power = 0;
        while size.is_multiple_of(base) && power < top {
            size /= base;
            power += 1;
        }
        if self.negative {
            f.write_str("-")?;
        }
        write!(f, "{size}")?;
        match (is_binary, self.format) {
            (true, _) => f.write_str(power.checked_sub(1).map_or("", |power| BINARY[power])),
            (false, Format::Exponent) if power < 3 => write!(f, "e-{}", 9 - 3 * power),
            (false, Format::Exponent) if power > 3 => write!(f, "e{}", 3 * power - 9),
            _ => f.write_str(DECIMAL[power]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn quantities_are_printed_as_the_api_does() {
        for (text, printed) in [
            ("0", "0"),
            ("0.0", "0"),
            ("2", "2"),
            ("1000m", "1"),
            ("0.5", "500m"),
            ("1500m", "1500m"),
            ("-1", "-1"),
            ("+5k", "5k"),
            ("2000k", "2M"),
            ("1024Mi", "1Gi"),
            ("1000Mi", "1000Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Gi", "512Mi"),
            ("0.5Ki", "512"),
            ("1Ei", "1Ei"),
            ("100Ei", "9223372036854775807"),
            ("1e3", "1e3"),
            ("10e2", "1e3"),
            ("1.5e-3", "1500e-6"),
            ("1E", "1E"),
            ("0.1n", "1n"),
            ("1.", "1"),
            (".5", "500m"),
        ] {
            assert_eq!(Quantity::parse(text).unwrap().to_string(), printed, "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "Gi", "1gi", "1 Gi", "1KiB", "1e", "0x1", "1e5.", "1K"] {
            assert!(Quantity::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn some_texts_stay_as_they_are_written() {
        for (text, shown) in [
            ("1e+3", "1e+3"),
            ("+1", "+1"),
            ("1.500", "1.500"),
            ("1.5", "1500m"),
            ("01", "01"),
            ("1000m", "1"),
            ("3Mi", "3Mi"),
            ("1024Mi", "1Gi"),
            ("100Ei", "9223372036854775807"),
        ] {
            assert_eq!(Quantity::parse(text).unwrap().shown(Some(&json!(text))), shown, "{text}");
        }
    }

    #[test]
    fn amounts_compare_whatever_their_form() {
        let of = |value: serde_json::Value| Quantity::of(Some(&value));
        assert_eq!(of(json!(0.25)).to_string(), "250m");
        assert_eq!(of(json!("0.0001")).rounded().to_string(), "1m");
        for (one, other) in [("2", "1"), ("1Ki", "1k"), ("1", "-1"), ("-1", "-2"), ("1", "999m")] {
            let (one, other) = (Quantity::parse(one).unwrap(), Quantity::parse(other).unwrap());
            assert!(one.is_above(other) && !other.is_above(one), "{one} {other}");
        }
        assert!(!of(json!("1000m")).is_above(of(json!(1))));
    }
}
