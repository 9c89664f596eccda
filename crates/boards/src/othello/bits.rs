//! Lines of discs on a board of 8 × 8 bits, bit = 8 · row + column. Smaller boards lie in the middle of it: what
//! surrounds them is empty, and no line of discs runs through empty squares.

/// Without the outermost columns a shifted disc cannot reappear on the other side.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// Left and right, up and down, both diagonals.
const STEPS: [u32; 4] = [1, 8, 7, 9];
const MASKS: [u64; 4] = [INNER_COLUMNS, !0, INNER_COLUMNS, INNER_COLUMNS];

/// Where a disc of `own` turns discs of `other` over, on free squares of `board`. Each direction grows lines by
/// doubling (R. Kogge and H. Stone, 1973, as carries in an adder).
#[inline]
pub fn moves(own: u64, other: u64, board: u64) -> u64 {
    let mut reached = [0; 4];
    for lane in 0..4 {
        let (step, line) = (STEPS[lane], other & MASKS[lane]);
        let mut up = line & (own << step);
        let mut down = line & (own >> step);
        up |= line & (up << step);
        down |= line & (down >> step);
        let (pairs_up, pairs_down) = (line & (line << step), line & (line >> step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        reached[lane] = (up << step) | (down >> step);
    }
    (reached[0] | reached[1] | reached[2] | reached[3]) & board & !(own | other)
}

/// The discs of `other` that a disc of `own` on the one square of `placed` turns over.
#[inline]
pub fn flips(placed: u64, own: u64, other: u64) -> u64 {
    let mut turned = [0; 4];
    for lane in 0..4 {
        let (step, line) = (STEPS[lane], other & MASKS[lane]);
        let mut up = line & (placed << step);
        let mut down = line & (placed >> step);
        up |= line & (up << step);
        down |= line & (down >> step);
        let (pairs_up, pairs_down) = (line & (line << step), line & (line >> step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        let closes = |line: u64, end: u64| if end & own != 0 { line } else { 0 };
        turned[lane] = closes(up, up << step) | closes(down, down >> step);
    }
    turned[0] | turned[1] | turned[2] | turned[3]
}
