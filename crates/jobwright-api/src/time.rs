//! Points in time as the API writes them: RFC 3339 with whole seconds, in UTC (`metav1.Time`).
//!
//! Invariant: [`format()`] never gives a fraction; [`parse`] cuts one off (BKO-10).

pub use jobwright_core::Timestamp;

/// Days from 0000-03-01 to 1970-01-01; years that begin in March put the leap day last.
const EPOCH_DAYS: i64 = 719_468;
/// Days of 400 years.
const ERA_DAYS: i64 = 146_097;

/// The API's text for a time, for example `2000-01-01T01:00:00Z`.
#[must_use]
pub fn format(at: Timestamp) -> String {
    let seconds = at.0.div_euclid(1_000);
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    let of_day = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads an RFC 3339 time with any offset; `None` if the text is none.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = bytes.get(from..to)?;
        digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
    };
    let fixed = |at: usize, any_of: &[u8]| bytes.get(at).is_some_and(|b| any_of.contains(b));
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let separators = [(4, "-"), (7, "-"), (10, "Tt"), (13, ":"), (16, ":")];
    if !separators.iter().all(|(at, any_of)| fixed(*at, any_of.as_bytes())) {
        return None;
    }
    if !(1..=12).contains(&month) || !(1..=month_days(year, month)).contains(&day) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let mut at = 19;
    if fixed(at, b".") {
        let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        at += digits + 1;
    }
    let offset = offset_seconds(&text[at..])?;
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    Some(Timestamp::from_seconds(seconds))
}

/// `Z`, `+hh:mm` or `-hh:mm`.
fn offset_seconds(text: &str) -> Option<i64> {
    match text.as_bytes() {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] if [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit()) => {
            let two = |a: &u8, b: &u8| i64::from(a - b'0') * 10 + i64::from(b - b'0');
            let (hours, minutes) = (two(h1, h2), two(m1, m2));
            let seconds = hours * 3_600 + minutes * 60;
            (hours < 24 && minutes < 60).then_some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(400) * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH_DAYS
}

/// The date of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_DAYS;
    let of_era = days.rem_euclid(ERA_DAYS);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + days.div_euclid(ERA_DAYS) * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_read_and_write() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-01-01T01:00:00Z", 946_688_400),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("1900-03-01T00:00:00Z", -2_203_891_200),
            ("2026-11-30T12:34:56Z", 1_796_042_096),
        ] {
            assert_eq!(parse(text), Some(Timestamp::from_seconds(seconds)), "{text}");
            assert_eq!(format(Timestamp::from_seconds(seconds)), text);
        }
    }

    #[test]
    fn every_day_of_400_years_comes_back() {
        for day in -146_097..146_097 {
            let at = Timestamp::from_seconds(day * 86_400);
            assert_eq!(parse(&format(at)), Some(at), "day {day}");
        }
    }

    #[test]
    fn fractions_are_cut_and_offsets_applied_bko_10() {
        let at = Timestamp::from_seconds(946_688_400);
        assert_eq!(parse("2000-01-01T01:00:00.999Z"), Some(at));
        assert_eq!(parse("2000-01-01T03:30:00+02:30"), Some(at));
        assert_eq!(format(Timestamp(at.0 + 999)), "2000-01-01T01:00:00Z");
        assert_eq!(format(Timestamp(-1)), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "now",
            "2000-01-01",
            "2000-13-01T00:00:00Z",
            "2001-02-29T00:00:00Z",
            "2000-01-01T24:00:00Z",
            "2000-01-01T00:00:00",
            "2000-01-01T00:00:00.Z",
            "2000-01-01T00:00:00+1:00",
            "2000-01-01T00:00:00Zé",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
