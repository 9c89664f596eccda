//! Evaluations remembered by what the seat to act knows.

use game::Evaluation;
use std::collections::HashMap;

/// Keyed by the canonical bytes of `now` in full, so that no two different positions ever share an answer.
/// Bounded: when the young half is full, the old half is forgotten. An entry that is asked for stays young.
pub(crate) struct EvaluationCache {
    young: HashMap<Box<[u8]>, Evaluation>,
    old: HashMap<Box<[u8]>, Evaluation>,
    half: usize,
}

impl EvaluationCache {
    pub fn new(entries: usize) -> EvaluationCache {
        EvaluationCache { young: HashMap::new(), old: HashMap::new(), half: entries.div_ceil(2) }
    }

    pub fn is_enabled(&self) -> bool {
        self.half > 0
    }

    /// The answer for `key`. An entry with another number of actions is no answer.
    pub fn get(&mut self, key: &[u8], n_actions: usize) -> Option<Evaluation> {
        if let Some(found) = self.young.get(key) {
            return Some(found.clone()).filter(|found| found.priors.len() == n_actions);
        }
        let (key, found) = self.old.remove_entry(key)?;
        let answer = Some(found.clone()).filter(|found| found.priors.len() == n_actions);
        self.put(key, found);
        answer
    }

    pub fn insert(&mut self, key: &[u8], evaluation: &Evaluation) {
        self.put(key.into(), evaluation.clone());
    }

    pub fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    fn put(&mut self, key: Box<[u8]>, evaluation: Evaluation) {
        if self.young.len() >= self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, evaluation);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(value: f32) -> Evaluation {
        Evaluation { value, priors: vec![0.5, 0.5] }
    }

    #[test]
    fn stays_within_its_bound_and_keeps_what_is_asked_for() {
        let mut cache = EvaluationCache::new(8);
        cache.insert(b"kept", &evaluation(0.25));
        for number in 0u32..100 {
            cache.insert(&number.to_le_bytes(), &evaluation(0.0));
            assert_eq!(cache.get(b"kept", 2), Some(evaluation(0.25)), "after {number}");
            assert!(cache.len() <= 8, "{} entries", cache.len());
        }
        assert_eq!(cache.get(&0u32.to_le_bytes(), 2), None);
        assert_eq!(cache.get(b"kept", 3), None);
        cache.clear();
        assert_eq!(cache.get(b"kept", 2), None);
    }
}
