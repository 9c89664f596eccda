//! A solve as bytes, from which it goes on bit for bit as if it had never stopped.
//!
//! | part | bytes |
//! |---|---|
//! | magic `MUSTERCF`, format version | 8 + 4 |
//! | game, fingerprint, algorithm: texts in UTF-8, each after its length | 4 + n each |
//! | iteration | 8 |
//! | 1 and the random stream's seed and words drawn, or 0 and zeros | 1 + 8 + 16 |
//! | regrets, predictions, strategy sums: f64s, each array after its length | 8 + 8 n each |
//! | blake3 digest of everything before | 32 |
//!
//! All numbers are little-endian; nothing follows the digest.

use crate::solver::SolverState;

const MAGIC: &[u8; 8] = b"MUSTERCF";
const VERSION: u32 = 1;
const DIGEST_LEN: usize = 32;

/// What a solve was of, and how far it came.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedSolve {
    /// The game with its options, as people write it.
    pub game: String,
    /// The fingerprint of the game's rules, as hexadecimal digits.
    pub fingerprint: String,
    /// The algorithm with all of its parameters.
    pub algorithm: String,
    /// `None` where nothing is drawn.
    pub stream: Option<StreamPosition>,
    pub state: SolverState,
}

/// A place in a random stream, see [`Stream::from_seed_at`](game::Stream::from_seed_at).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamPosition {
    pub seed: u64,
    pub words_drawn: u128,
}

/// Why bytes are no solve that can go on here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SaveError {
    #[error("it is no saved solve: it does not begin with {}", String::from_utf8_lossy(MAGIC))]
    NotASave,
    #[error("it has format version {found}; this build reads version {VERSION}")]
    Version { found: u32 },
    #[error(
        "it is truncated or damaged: its digest does not match; take another copy or solve anew"
    )]
    Damaged,
    #[error("its digest matches but {what} cannot be read; another program wrote it")]
    Malformed { what: &'static str },
    #[error("it is a solve of {found}, not of {expected}")]
    ForeignGame { expected: String, found: String },
    #[error(
        "it was solved by {found}, not by {expected}; ask for the same algorithm and parameters"
    )]
    ForeignAlgorithm { expected: String, found: String },
}

impl SavedSolve {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        for text in [&self.game, &self.fingerprint, &self.algorithm] {
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(text.as_bytes());
        }
        out.extend_from_slice(&self.state.iteration.to_le_bytes());
        let (seed, words_drawn) =
            self.stream.map_or((0, 0), |stream| (stream.seed, stream.words_drawn));
        out.push(u8::from(self.stream.is_some()));
        out.extend_from_slice(&seed.to_le_bytes());
        out.extend_from_slice(&words_drawn.to_le_bytes());
        let state = &self.state;
        for array in [&state.regrets, &state.predictions, &state.strategy_sums] {
            out.extend_from_slice(&(array.len() as u64).to_le_bytes());
            array.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        let digest = blake3::hash(&out);
        out.extend_from_slice(digest.as_bytes());
        out
    }

    /// Trusts nothing that the bytes say: a length is believed only where so many bytes follow.
    pub fn from_bytes(bytes: &[u8]) -> Result<SavedSolve, SaveError> {
        let Some(after_magic) = bytes.strip_prefix(MAGIC) else {
            // The first bytes of a save are damaged too if the file was cut off within them.
            let is_cut_off = !bytes.is_empty() && MAGIC.starts_with(bytes);
            return Err(if is_cut_off { SaveError::Damaged } else { SaveError::NotASave });
        };
        let version = after_magic.first_chunk().ok_or(SaveError::Damaged)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(SaveError::Version { found });
        }
        let (content, digest) = bytes.split_last_chunk::<DIGEST_LEN>().ok_or(SaveError::Damaged)?;
        if blake3::hash(content).as_bytes() != digest {
            return Err(SaveError::Damaged);
        }
        let mut rest = Rest(&content[MAGIC.len() + version.len()..]);
        let game = rest.text("the game")?;
        let fingerprint = rest.text("the fingerprint")?;
        let algorithm = rest.text("the algorithm")?;
        let iteration = u64::from_le_bytes(rest.take("the iteration")?);
        let stream = rest.stream()?;
        let state = SolverState {
            iteration,
            regrets: rest.numbers("the regrets")?,
            predictions: rest.numbers("the predictions")?,
            strategy_sums: rest.numbers("the strategy sums")?,
        };
        match rest.0 {
            [] => Ok(SavedSolve { game, fingerprint, algorithm, stream, state }),
            _ => Err(SaveError::Malformed { what: "the end" }),
        }
    }

    /// Whether this is a solve of that game by that algorithm.
    pub fn belongs_to(
        &self,
        game: &str,
        fingerprint: &str,
        algorithm: &str,
    ) -> Result<(), SaveError> {
        if self.fingerprint != fingerprint {
            // Equal names with other fingerprints are two versions of the rules.
            let marked = |game: &str, print: &str| {
                format!("{game} (fingerprint {})", print.get(..12).unwrap_or(print))
            };
            return Err(SaveError::ForeignGame {
                expected: marked(game, fingerprint),
                found: marked(&self.game, &self.fingerprint),
            });
        }
        if self.algorithm != algorithm {
            let (expected, found) = (algorithm.to_owned(), self.algorithm.clone());
            return Err(SaveError::ForeignAlgorithm { expected, found });
        }
        Ok(())
    }
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], SaveError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(SaveError::Malformed { what })?;
        self.0 = rest;
        Ok(*taken)
    }

    fn slice(&mut self, len: u64, what: &'static str) -> Result<&'a [u8], SaveError> {
        let len = usize::try_from(len).map_err(|_| SaveError::Malformed { what })?;
        let (taken, rest) = self.0.split_at_checked(len).ok_or(SaveError::Malformed { what })?;
        self.0 = rest;
        Ok(taken)
    }

    fn text(&mut self, what: &'static str) -> Result<String, SaveError> {
        let len = u32::from_le_bytes(self.take(what)?);
        let bytes = self.slice(u64::from(len), what)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| SaveError::Malformed { what })
    }

    fn stream(&mut self) -> Result<Option<StreamPosition>, SaveError> {
        let what = "the place in the random stream";
        let [is_there] = self.take(what)?;
        let seed = u64::from_le_bytes(self.take(what)?);
        let words_drawn = u128::from_le_bytes(self.take(what)?);
        match is_there {
            0 if seed == 0 && words_drawn == 0 => Ok(None),
            1 => Ok(Some(StreamPosition { seed, words_drawn })),
            _ => Err(SaveError::Malformed { what }),
        }
    }

    fn numbers(&mut self, what: &'static str) -> Result<Vec<f64>, SaveError> {
        let n = u64::from_le_bytes(self.take(what)?);
        let len = n.checked_mul(8).ok_or(SaveError::Malformed { what })?;
        let bytes = self.slice(len, what)?;
        let numbers: Vec<f64> =
            bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
        // A solve never makes a number that is not finite; going on from one would spread it.
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(SaveError::Malformed { what }),
        }
    }
}
