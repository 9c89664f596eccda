//! The 7 × 7 axial grid of the network, seen from one seat: black sees the board after half a turn, so that both
//! seats look alike. Row = r + 3, column = q + 3.

use crate::Hex;
use game::Seat;

/// Rows and columns of the grid.
pub const GRID_LEN: usize = 7;
/// Cells of the grid, board or not.
pub const N_CELLS: usize = GRID_LEN * GRID_LEN;

/// The hex as `seat` sees it.
#[inline]
pub(crate) fn seen_from(seat: Seat, hex: Hex) -> Hex {
    if seat == Seat::FIRST { hex } else { hex.turned() }
}

/// The cell of a hex that is seen from the right side already.
#[inline]
pub(crate) fn cell(seen: Hex) -> usize {
    CELLS[seen.idx()] as usize
}

const CELLS: [u8; Hex::COUNT] = {
    let mut cells = [0; Hex::COUNT];
    let mut idx = 0;
    while idx < Hex::COUNT {
        let hex = Hex::new(idx as u8);
        cells[idx] = ((hex.r() + 3) * GRID_LEN as i8 + hex.q() + 3) as u8;
        idx += 1;
    }
    cells
};

/// Number of a step between two hexes at distance 1 or 2: 0..6 to a neighbour by direction, then 6..18 to
/// distance two, for each direction the straight one and the one bent towards the next direction.
pub(crate) fn leap(from: Hex, to: Hex) -> Option<usize> {
    let (dq, dr) = (to.q() - from.q(), to.r() - from.r());
    if dq.abs() > 2 || dr.abs() > 2 {
        return None;
    }
    match LEAPS[(dr + 2) as usize][(dq + 2) as usize] {
        NO_LEAP => None,
        leap => Some(leap as usize),
    }
}

const NO_LEAP: u8 = u8::MAX;

const LEAPS: [[u8; 5]; 5] = {
    let mut leaps = [[NO_LEAP; 5]; 5];
    let mut direction = 0;
    while direction < 6 {
        let (q, r) = crate::DIRECTIONS[direction];
        let (next_q, next_r) = crate::DIRECTIONS[(direction + 1) % 6];
        leaps[(r + 2) as usize][(q + 2) as usize] = direction as u8;
        leaps[(2 * r + 2) as usize][(2 * q + 2) as usize] = 6 + 2 * direction as u8;
        leaps[(r + next_r + 2) as usize][(q + next_q + 2) as usize] = 7 + 2 * direction as u8;
        direction += 1;
    }
    leaps
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_pair_within_two_has_a_leap_that_tells_its_target() {
        let mut n_pairs = 0;
        let mut offsets = BTreeMap::new();
        for from in Hex::all() {
            for to in Hex::all() {
                let leap = leap(from, to);
                let distance = from.distance(to);
                assert_eq!(leap.is_some(), (1..=2).contains(&distance), "{from} to {to}");
                let Some(leap) = leap else { continue };
                assert_eq!(leap < 6, distance == 1);
                if distance == 1 {
                    assert_eq!(from.neighbor(leap), Some(to));
                }
                let offset = (to.q() - from.q(), to.r() - from.r());
                assert_eq!(*offsets.entry(leap).or_insert(offset), offset);
                n_pairs += 1;
            }
        }
        assert_eq!((n_pairs, offsets.len()), (180 + 282, 18));
    }

    #[test]
    fn both_seats_see_their_own_starts_in_the_same_cells() {
        let cells = |seat, starts: crate::HexSet| {
            let mut cells: Vec<_> = starts.into_iter().map(|h| cell(seen_from(seat, h))).collect();
            cells.sort();
            cells
        };
        assert_eq!(
            cells(Seat::FIRST, crate::WHITE_STARTS),
            cells(Seat::SECOND, crate::BLACK_STARTS)
        );
    }
}
