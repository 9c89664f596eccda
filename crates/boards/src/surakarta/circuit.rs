//! Points and the two closed circuits on which stones capture.

use std::fmt;

pub(super) const SIDE: usize = 6;
pub(super) const N_POINTS: usize = SIDE * SIDE;

/// A point by its number: row · 6 + column, from the lower left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(super) u8);

impl Point {
    pub fn new(column: usize, row: usize) -> Point {
        debug_assert!(column < SIDE && row < SIDE);
        Point((row * SIDE + column) as u8)
    }

    pub fn column(self) -> usize {
        usize::from(self.0) % SIDE
    }

    pub fn row(self) -> usize {
        usize::from(self.0) / SIDE
    }

    #[inline]
    pub(super) fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::grid::cell_text(self.column(), self.row()))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// How many points a stone passes on its way round a whole circuit.
pub(super) const CIRCUIT_LEN: usize = 4 * SIDE;

/// One way round a circuit: along the row `inset` from below to the right, round the loop at the lower right corner
/// into the column `inset` from the right, up, and so on. A loop follows every sixth point. Each point where two of
/// the four lines cross is passed twice.
const fn circuit(inset: usize) -> [u8; CIRCUIT_LEN] {
    let far = SIDE - 1 - inset;
    let mut points = [0; CIRCUIT_LEN];
    let mut n = 0;
    while n < SIDE {
        points[n] = (inset * SIDE + n) as u8;
        points[SIDE + n] = (n * SIDE + far) as u8;
        points[2 * SIDE + n] = (far * SIDE + SIDE - 1 - n) as u8;
        points[3 * SIDE + n] = ((SIDE - 1 - n) * SIDE + inset) as u8;
        n += 1;
    }
    points
}

/// The inner circuit runs on the lines next to the edge, the outer one on the lines in the middle. The edge itself
/// belongs to neither.
pub(super) static CIRCUITS: [[u8; CIRCUIT_LEN]; 2] = [circuit(1), circuit(2)];

/// The points next to each, in eight directions.
pub(super) static NEIGHBOURS: [u64; N_POINTS] = {
    let mut table = [0; N_POINTS];
    let mut idx = 0;
    while idx < N_POINTS {
        let (column, row) = ((idx % SIDE) as i32, (idx / SIDE) as i32);
        let mut to = 0;
        while to < N_POINTS {
            let (across, up) = ((to % SIDE) as i32 - column, (to / SIDE) as i32 - row);
            if to != idx && across >= -1 && across <= 1 && up >= -1 && up <= 1 {
                table[idx] |= 1 << to;
            }
            to += 1;
        }
        idx += 1;
    }
    table
};

/// Where on the circuits a point lies: circuit and place, at most twice.
const PASSES_MAX: usize = 2;

static PASSES: [[Option<(u8, u8)>; PASSES_MAX]; N_POINTS] = {
    let circuits = [circuit(1), circuit(2)];
    let mut table = [[None; PASSES_MAX]; N_POINTS];
    let mut which = 0;
    while which < 2 {
        let mut place = 0;
        while place < CIRCUIT_LEN {
            let passes = &mut table[circuits[which][place] as usize];
            let next = if passes[0].is_none() { 0 } else { 1 };
            passes[next] = Some((which as u8, place as u8));
            place += 1;
        }
        which += 1;
    }
    table
};

/// The stones of `enemies` that a stone on `from` can capture when `occupied` is occupied. Its own point does not
/// stop it.
pub(super) fn captures(from: Point, enemies: u64, occupied: u64) -> u64 {
    let blocked = occupied & !from.bit();
    let mut captured = 0;
    for (which, place) in PASSES[usize::from(from.0)].iter().flatten() {
        let circuit = &CIRCUITS[usize::from(*which)];
        for step in [1, CIRCUIT_LEN - 1] {
            captured |= first_stone_behind_a_loop(circuit, usize::from(*place), step, blocked);
        }
    }
    captured & enemies
}

/// The first stone on the way from `place`, if the way leads round a loop before it; or nothing.
fn first_stone_behind_a_loop(
    circuit: &[u8; CIRCUIT_LEN],
    place: usize,
    step: usize,
    blocked: u64,
) -> u64 {
    let mut at = place;
    for _ in 1..CIRCUIT_LEN {
        at = (at + step) % CIRCUIT_LEN;
        let point = 1 << circuit[at];
        if blocked & point != 0 {
            let is_same_line = at / SIDE == place / SIDE;
            // On the same line the way can still have led all the way round.
            let has_looped = !is_same_line || (at > place) == (step != 1);
            return if has_looped { point } else { 0 };
        }
    }
    0
}
