//! Messages of a block without frames: a host may so tell what comes before the first one. They are played with it.

/// Messages that are kept, and bytes that they share.
const MESSAGES: usize = 4096;
const BYTES: usize = 256 * 1024;

/// Messages in the order they came. Fixed room: what does not fit is lost.
pub struct Early {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Early {
    /// None, and room for 4096 of 256 KiB together. `[main]`
    pub fn new() -> Self {
        Self { bytes: Vec::with_capacity(BYTES), ends: Vec::with_capacity(MESSAGES) }
    }

    /// Keeps a message. False: no room. `[audio]`
    pub fn push(&mut self, message: &[u8]) -> bool {
        let fits = self.ends.len() < MESSAGES && self.bytes.len() + message.len() <= BYTES;
        if fits {
            self.bytes.extend_from_slice(message);
            self.ends.push(self.bytes.len());
        }
        fits
    }

    /// All of them, in order. `[audio]`
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter_map(|(start, end)| self.bytes.get(start..*end))
    }

    /// Forgets them. `[audio]`
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_in_order_and_nothing_grows() {
        let mut early = Early::new();
        let room = (early.bytes.capacity(), early.ends.capacity());
        assert!(early.push(&[0x90, 60, 1]) && early.push(&[0xF8]) && early.push(&[0x80, 60, 1]));
        assert_eq!(early.iter().collect::<Vec<_>>(), [&[0x90, 60, 1][..], &[0xF8], &[0x80, 60, 1]]);
        assert!(!early.push(&[0; BYTES]));
        while early.push(&[0xF8]) {}
        assert_eq!((early.ends.len(), room), (MESSAGES, (early.bytes.capacity(), early.ends.capacity())));
        early.clear();
        assert_eq!(early.iter().count(), 0);
    }
}
