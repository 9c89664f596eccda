//! Named random streams. One purpose, one stream: how much one of them is used never moves another.
//!
//! What the real game draws is keyed by the [`DealSecret`]; what a search draws is keyed by the [`RunSeed`].
//! Neither can be computed from the other, so nothing about the deal can be read from a search.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::fmt;

/// 32 bytes from which the deals, chance outcomes and ids of a run's games derive. Held by the coordinator, in
/// leases and in the audit root; never by anything that training may read.
#[derive(Clone, PartialEq, Eq)]
pub struct DealSecret(pub [u8; 32]);

/// Nothing of the secret is printed.
impl fmt::Debug for DealSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealSecret(…)")
    }
}

impl DealSecret {
    /// The set-up of game number `game` and, from the same stream, every chance outcome in order.
    pub fn deal_stream(&self, game: u64) -> Stream {
        self.keyed("deal", game)
    }

    /// The id under which the game's rows are stored: a keyed hash, from which no number can be read.
    pub fn game_id(&self, game: u64) -> GameId {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"game-id");
        hasher.update(&game.to_le_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        GameId(id)
    }

    /// A digest that may be public: it tells whether two runs share a secret.
    pub fn digest(&self) -> String {
        blake3::keyed_hash(&self.0, b"deal-secret-digest").to_hex().to_string()
    }

    fn keyed(&self, purpose: &str, game: u64) -> Stream {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(purpose.as_bytes());
        hasher.update(&game.to_le_bytes());
        Stream(ChaCha8Rng::from_seed(*hasher.finalize().as_bytes()))
    }
}

/// A game's identity in every row and file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub [u8; 16]);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What a search stream is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Exploration noise at a root.
    Noise,
    /// The choice among visited actions.
    Temperature,
    /// Worlds sampled from a belief and chance outcomes inside them.
    Worlds,
    /// Which symmetry a position is evaluated under.
    Symmetry,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Purpose::Noise => "noise",
            Purpose::Temperature => "temperature",
            Purpose::Worlds => "worlds",
            Purpose::Symmetry => "symmetry",
        }
    }
}

/// The seed of everything in a run that is not the real game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunSeed(pub u64);

impl RunSeed {
    /// key = blake3(run seed, purpose, game, ply).
    pub fn stream(self, purpose: Purpose, game: GameId, ply: u32) -> Stream {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muster search stream");
        hasher.update(&self.0.to_le_bytes());
        hasher.update(purpose.name().as_bytes());
        hasher.update(&game.0);
        hasher.update(&ply.to_le_bytes());
        Stream(ChaCha8Rng::from_seed(*hasher.finalize().as_bytes()))
    }
}

/// A ChaCha8 stream with the two functions whose values must never move.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A stream for tests and tools, from a plain number.
    pub fn from_seed(seed: u64) -> Stream {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muster plain stream");
        hasher.update(&seed.to_le_bytes());
        Stream(ChaCha8Rng::from_seed(*hasher.finalize().as_bytes()))
    }

    /// The stream of [`Stream::from_seed`] from which `words` words were drawn already, see [`Stream::words_drawn`].
    pub fn from_seed_at(seed: u64, words: u128) -> Stream {
        let mut stream = Stream::from_seed(seed);
        stream.0.set_word_pos(words);
        stream
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0..n`. Lemire's multiply-and-reject, so that every value is exactly as likely.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "below(0) has no value");
        let mut product = u64::from(self.0.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.0.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A uniform number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// How many words of 32 random bits were drawn so far: by it two runs can be compared in how much chance they
    /// used.
    pub fn words_drawn(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// Fisher–Yates from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_move() {
        let mut stream = Stream::from_seed(7);
        let drawn: Vec<u32> = (0..8).map(|_| stream.below(1000)).collect();
        let mut items: Vec<u32> = (0..8).collect();
        stream.shuffle(&mut items);
        assert_eq!(drawn, [133, 859, 555, 642, 133, 661, 532, 871]);
        assert_eq!(items, [3, 2, 5, 6, 0, 4, 7, 1]);
    }

    #[test]
    fn every_word_is_counted() {
        let mut stream = Stream::from_seed(7);
        assert_eq!(stream.words_drawn(), 0);
        stream.next_u64();
        assert_eq!(stream.words_drawn(), 2);
        stream.unit();
        stream.below(1 << 31);
        assert_eq!(stream.words_drawn(), 5);
    }

    #[test]
    fn goes_on_where_another_stopped() {
        let mut stream = Stream::from_seed(7);
        // An odd number of words, and more than the generator makes at once.
        (0..301).for_each(|_| assert!(stream.below(1 << 31) < 1 << 31));
        let mut resumed = Stream::from_seed_at(7, stream.words_drawn());
        let next = |stream: &mut Stream| (0..300).map(|_| stream.next_u64()).collect::<Vec<_>>();
        assert_eq!(next(&mut resumed), next(&mut stream));
        assert_eq!(resumed.words_drawn(), stream.words_drawn());
    }

    #[test]
    fn below_is_uniform() {
        let mut stream = Stream::from_seed(1);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        // Each count is binomial(60000, 1/6): mean 10000, sigma 91. Six sigma.
        for count in counts {
            assert!(count.abs_diff(10_000) < 550, "{counts:?}");
        }
    }
}
