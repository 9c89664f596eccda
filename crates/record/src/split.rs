//! Which games are kept out of training. It hangs on the game's id alone, so a game stays on its side in every
//! window, and rows of one game never lie on both.

use game::GameId;

/// Uniform over games, and tied to nothing else about them.
pub fn rank(game: GameId) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"held out");
    hasher.update(&game.0);
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Games of a rank below this are held out; `share` of all, from 0 to 1.
pub fn threshold(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * u64::MAX as f64) as u64
}

/// Whether the game is among the `share` of games that are held out.
pub fn is_held_out(game: GameId, share: f64) -> bool {
    rank(game) < threshold(share)
}
