//! Makes up what a cluster makes up: uids and the random ends of names.
//!
//! Invariant: the only place of the project that makes numbers up; the same seed gives the same
//! sequence on every machine.

/// The characters that generated names end with (ENV-1): no vowels, no digit that looks like a letter.
const NAME_ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// How many of them there are in a generated name (ENV-1).
const SUFFIX_LENGTH: usize = 5;

/// A small generator with 64 bits of state (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A uid in the form of a random UUID (version 4).
    pub fn uid(&mut self) -> String {
        let version = 0xffff_ffff_ffff_0fff_u64;
        let variant = 0x3fff_ffff_ffff_ffff_u64;
        let high = self.next() & version | 0x4000;
        let low = self.next() & variant | 0x8000_0000_0000_0000;
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    }

    /// The random end of a generated name.
    pub fn suffix(&mut self) -> String {
        let letters = NAME_ALPHABET.len() as u64;
        let mut pick = || NAME_ALPHABET.get((self.next() % letters) as usize).copied().unwrap_or(b'b');
        (0..SUFFIX_LENGTH).map(|_| char::from(pick())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_sequence() {
        let (mut one, mut two, mut other) = (Rng::new(7), Rng::new(7), Rng::new(8));
        assert_eq!(one.uid(), two.uid());
        assert_eq!(one.suffix(), two.suffix());
        assert_ne!(one.uid(), other.uid());
    }

    #[test]
    fn env_1_suffixes_use_the_alphabet() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let suffix = rng.suffix();
            assert_eq!(suffix.len(), 5);
            assert!(suffix.bytes().all(|byte| NAME_ALPHABET.contains(&byte)), "{suffix}");
        }
    }

    #[test]
    fn uids_have_the_form_of_a_random_uuid() {
        let uid = Rng::new(3).uid();
        assert_eq!(uid.len(), 36);
        assert_eq!(uid.as_bytes()[14], b'4');
        assert!(matches!(uid.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{uid}");
    }
}
