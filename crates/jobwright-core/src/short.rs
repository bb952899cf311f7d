//! Texts of few characters, without an allocation: numbers and ends of names.
//!
//! Invariant: ASCII, at most twenty characters.

/// A text of few characters, without an allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short {
    bytes: [u8; 20],
    len: usize,
}

impl Short {
    /// The empty text.
    pub(crate) const EMPTY: Self = Self { bytes: [0; 20], len: 0 };

    /// A number in decimal.
    pub(crate) fn decimal(number: u32) -> Self {
        let mut this = Self::EMPTY;
        let (mut digits, mut from, mut rest) = ([0; 10], 10, number);
        while rest > 0 || from == 10 {
            from -= 1;
            digits[from] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
        }
        this.extend(&digits[from..]);
        this
    }

    /// Appends ASCII characters; those that do not fit are left out.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let places = self.bytes.get_mut(self.len..).unwrap_or_default();
        for (place, byte) in places.iter_mut().zip(bytes) {
            *place = *byte;
        }
        self.len += bytes.len().min(places.len());
    }

    /// The characters.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// How many characters.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn numbers_are_written_as_elsewhere() {
        for number in [0, 1, 9, 10, 99, 100, 1_234_567_890, u32::MAX] {
            assert_eq!(Short::decimal(number).as_str(), number.to_string());
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut text = Short::EMPTY;
        text.extend(&[b'a'; 30]);
        assert_eq!((text.as_str(), text.len()), ("aaaaaaaaaaaaaaaaaaaa", 20));
    }
}
