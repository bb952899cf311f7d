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
        let mut scale = 1_000_000_000;
        while scale > 0 {
            if number >= scale || scale == 1 {
                this.push(b'0' + u8::try_from(number / scale % 10).unwrap_or(0));
            }
            scale /= 10;
        }
        this
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    /// Appends ASCII characters; those that do not fit are left out.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push(*byte);
        }
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
