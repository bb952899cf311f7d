//! Where a ledger keeps its pods: a list in chunks, so that growing wastes no more than one chunk.
//!
//! Invariant: all chunks but the last are full; a slot that is free is on the list of free ones.

use alloc::vec::Vec;

use super::facts::PodFacts;

/// Pods in a chunk.
const CHUNK: usize = 64;

/// A pod's place in its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PodSlot(pub(crate) u32);

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    chunks: Vec<Vec<Option<PodFacts>>>,
    free: Vec<PodSlot>,
}

impl Slots {
    /// A slot without a pod.
    pub(super) fn take_free(&mut self) -> PodSlot {
        if let Some(slot) = self.free.pop() {
            return slot;
        }
        let full = self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK);
        if full {
            // The first chunk grows as any list does: most Jobs have few pods.
            let ahead = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(ahead));
        }
        let last = self.chunks.len() - 1;
        self.chunks[last].push(None);
        PodSlot(u32::try_from(last * CHUNK + self.chunks[last].len() - 1).unwrap_or(u32::MAX))
    }

    /// Gives a slot back whose pod was taken out.
    pub(super) fn give_back(&mut self, slot: PodSlot) {
        self.free.push(slot);
    }

    pub(super) fn get(&self, slot: PodSlot) -> Option<&PodFacts> {
        let at = slot.0 as usize;
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: PodSlot) -> Option<&mut Option<PodFacts>> {
        let at = slot.0 as usize;
        self.chunks.get_mut(at / CHUNK)?.get_mut(at % CHUNK)
    }

    /// Whether there is no pod.
    pub(super) fn is_empty(&self) -> bool {
        let last = self.chunks.last().map_or(0, Vec::len);
        self.free.len() == self.chunks.len().saturating_sub(1) * CHUNK + last
    }

    /// All pods; looks at every slot.
    pub(super) fn scan(&self) -> impl Iterator<Item = (PodSlot, &PodFacts)> {
        let at = |position| PodSlot(u32::try_from(position).unwrap_or(u32::MAX));
        let slots = self.chunks.iter().flatten().enumerate();
        slots.filter_map(move |(position, pod)| Some((at(position), pod.as_ref()?)))
    }
}
