//! IP addresses of both families.
//!
//! Invariant: an address is read as old versions of the API did, with zeros in front; what is wrong with it is said
//! afterwards.

/// An address as it was read.
pub(super) struct Address {
    /// The parts of an address of version 6; one of version 4 is in the last two.
    groups: [u16; 8],
    /// Whether it was written as one of version 6.
    is_v6: bool,
    /// Whether a part of version 4 has zeros in front.
    has_zeros: bool,
}

impl Address {
    /// Reads a text; `None` if it is no address.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut address = Self { groups: [0; 8], is_v6: text.contains(':'), has_zeros: false };
        if !address.is_v6 {
            address.v4(text, 6)?;
            return Some(address);
        }
        let (front, back) = text.split_once("::").unwrap_or((text, ""));
        let count = address.half(front, 0)?;
        if !text.contains("::") {
            return (count == 8).then_some(address);
        }
        let mut rest = Self { groups: [0; 8], ..address };
        let more = rest.half(back, 0)?;
        if count + more >= 8 {
            return None;
        }
        address.groups[8 - more..].copy_from_slice(&rest.groups[..more]);
        address.has_zeros |= rest.has_zeros;
        Some(address)
    }

    /// Reads groups from a place on; how many.
    fn half(&mut self, text: &str, mut at: usize) -> Option<usize> {
        let mut groups = text.split(':').peekable();
        while let Some(group) = groups.next() {
            if text.is_empty() {
                break;
            }
            if at > 7 {
                return None;
            }
            if groups.peek().is_none() && group.contains('.') {
                self.v4(group, at)?;
                return Some(at + 2);
            }
            let is_plain = (1..=4).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_hexdigit());
            self.groups[at] = u16::from_str_radix(group, 16).ok().filter(|_| is_plain)?;
            at += 1;
        }
        Some(at)
    }

    fn v4(&mut self, text: &str, at: usize) -> Option<()> {
        let (mut count, mut sum) = (0, 0_u32);
        for part in text.split('.') {
            let is_plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            sum = sum << 8 | u32::from(part.parse::<u8>().ok().filter(|_| is_plain)?);
            self.has_zeros |= part.len() > 1 && part.starts_with('0');
            count += 1;
        }
        if count != 4 {
            return None;
        }
        let [a, b, c, d] = sum.to_be_bytes();
        self.groups.get_mut(at..at + 2)?.copy_from_slice(&[u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
        Some(())
    }

    /// What the API server refuses.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.has_zeros {
            return Some("must not have leading 0s");
        }
        (self.is_v6 && self.groups[..6] == [0, 0, 0, 0, 0, 0xffff]).then_some("must not be an IPv4-mapped IPv6 address")
    }

    /// The one right form of an address of version 6 (RFC 5952); `None` for one of version 4.
    pub(super) fn canonical(&self) -> Option<String> {
        let (mut longest, mut start) = (0, 0);
        for at in 0..8 {
            let run = self.groups[at..].iter().take_while(|group| **group == 0).count();
            if run > longest {
                (longest, start) = (run, at);
            }
        }
        let mut text = String::new();
        let mut at = 0;
        while at < 8 {
            if longest > 1 && at == start {
                text.push_str("::");
                at += longest;
                continue;
            }
            if !text.is_empty() && !text.ends_with(':') {
                text.push(':');
            }
            let mut is_first = true;
            for shift in [12, 8, 4, 0] {
                let digit = u32::from(self.groups[at] >> shift & 15);
                if digit != 0 || !is_first || shift == 0 {
                    is_first = false;
                    text.extend(char::from_digit(digit, 16));
                }
            }
            at += 1;
        }
        self.is_v6.then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form_val_78() {
        for (text, form) in [
            ("::", Some("::")),
            ("0:0:0:0:0:0:0:1", Some("::1")),
            ("2001:DB8::1", Some("2001:db8::1")),
            ("2001:db8:0:0:1:0:0:1", Some("2001:db8::1:0:0:1")),
            ("1:0:2:3:4:5:6:7", Some("1:0:2:3:4:5:6:7")),
            ("::1.2.3.4", Some("::102:304")),
            ("1::", Some("1::")),
            ("1.2.3.4", None),
        ] {
            assert_eq!(Address::parse(text).unwrap().canonical().as_deref(), form, "{text}");
        }
        for text in
            ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1:2:3:4:5:6:7", "1::2::3", ":", ":1", "1:", "::12345", "fe80::1%e"]
        {
            assert!(Address::parse(text).is_none(), "{text}");
        }
    }
}
