//! Numbers from which the keys of positions are made.

/// Number `n` of a fixed sequence (SplitMix64), the same in every build; every game has a salt of its own.
#[inline]
pub const fn key_number(salt: u64, n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
