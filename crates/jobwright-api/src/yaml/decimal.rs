//! Decimal fractions as floats, without tables.
//!
//! Invariant: exact for up to 15 digits and 22 places, which is more than anybody writes in a manifest;
//! beyond that, right to about 15 digits. A general parser would add 8 kB to the wasm.

/// Digits of the mantissa that are looked at; 19 fit into 64 bits.
const DIGITS_MAX: i32 = 19;

/// Reads digits with an optional point and an optional exponent; a sign may stand before. `None` if it
/// is something else, or too large for a float.
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let (sign, size) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let (mantissa, exponent) = match size.find(['e', 'E']) {
        Some(at) => (&size[..at], exponent(&size[at + 1..])?),
        None => (size, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (mut number, mut digits, mut scale) = (0_u64, 0, 0_i32);
    let places = fraction.bytes().map(|b| (b, true));
    for (byte, behind_point) in whole.bytes().map(|b| (b, false)).chain(places) {
        if !byte.is_ascii_digit() {
            return None;
        }
        if digits < DIGITS_MAX {
            number = number * 10 + u64::from(byte - b'0');
            digits += i32::from(number > 0);
            scale -= i32::from(behind_point);
        } else {
            scale = scale.checked_add(i32::from(!behind_point))?;
        }
    }
    if whole.len() + fraction.len() == 0 {
        return None;
    }
    let value = scaled(number, scale.checked_add(exponent)?);
    value.is_finite().then_some(sign * value)
}

/// `number` times ten to the power of `scale`.
fn scaled(number: u64, scale: i32) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "exact for the digits that count")]
    let number = number as f64;
    if number == 0.0 {
        0.0
    } else if scale >= 0 {
        number * 10_f64.powi(scale.min(400))
    } else if scale >= -300 {
        // Dividing is exact where multiplying by a negative power is not.
        number / 10_f64.powi(-scale)
    } else {
        // In two steps, because the whole power is more than a float can hold.
        number / 1e300 / 10_f64.powi((-300 - scale).min(400))
    }
}

/// An exponent: a sign and digits. One that is too long is cut, which leaves it far out of range.
fn exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0_i32, |sum, b| (sum * 10 + i32::from(b - b'0')).min(100_000));
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_numbers_are_exact() {
        for text in [
            "0",
            "0.1",
            "0.5",
            "2.5",
            "-0.25",
            "1e1",
            "1E+2",
            "1.5e-3",
            "123456789.5",
            "100",
            "1e22",
            "1e-7",
            "3.",
            ".5",
            "0.001",
            "999999999999999",
            "4.4",
        ] {
            assert_eq!(parse(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn long_numbers_are_near() {
        for text in ["0.1234567890123456789012", "12345678901234567890123", "1.7e308", "1e300", "1e-310", "9.99e-300"] {
            let exact: f64 = text.parse().unwrap();
            let near = parse(text).unwrap();
            assert!((near / exact - 1.0).abs() < 1e-14, "{text}: {near}");
        }
        assert_eq!(parse("1e-999999999999"), Some(0.0));
    }

    #[test]
    fn what_is_no_decimal_is_none() {
        for text in ["", ".", "-", "e1", "1e", "1e+", "1.2.3", "0x1", "1e5.", "--1", "inf", "1e999", "1-2"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
