//! The board: 37 hexes, their neighbours, distances and lines, and the ten locations.
//!
//! Index order is row by row in the axial frame: `(q, r)` with `r` from −3 to 3 and `q` rising. Text uses the
//! site frame `x,y` of public game logs: `x = 3 − q − r`, `y = 3 + r`.

use crate::HexSet;
use std::fmt;

/// One hex of the board, by its index in 0..37.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(u8);

/// The six directions, in the order in which [`Hex::neighbor`] counts them. Direction `d + 3` is opposite to `d`.
pub const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

const RADIUS: i8 = 3;
const NO_HEX: u8 = u8::MAX;

impl Hex {
    pub const COUNT: usize = 37;

    /// The hex with this index, which must be below 37.
    #[inline]
    pub const fn new(idx: u8) -> Hex {
        debug_assert!(idx < Hex::COUNT as u8);
        Hex(idx)
    }

    /// Every hex, in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Hex> + ExactSizeIterator {
        (0..Hex::COUNT as u8).map(Hex)
    }

    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// The hex at axial `(q, r)`, if it lies on the board.
    pub const fn from_axial(q: i8, r: i8) -> Option<Hex> {
        if q < -RADIUS || q > RADIUS || r < -RADIUS || r > RADIUS {
            return None;
        }
        match TABLES.at_axial[(r + RADIUS) as usize][(q + RADIUS) as usize] {
            NO_HEX => None,
            idx => Some(Hex(idx)),
        }
    }

    /// The hex at `x,y` of the site frame, if it lies on the board.
    pub const fn from_site(x: i8, y: i8) -> Option<Hex> {
        if x < 0 || x > 6 || y < 0 || y > 6 {
            return None;
        }
        Hex::from_axial(6 - x - y, y - 3)
    }

    pub const fn q(self) -> i8 {
        TABLES.axial[self.idx()].0
    }

    pub const fn r(self) -> i8 {
        TABLES.axial[self.idx()].1
    }

    /// `x` of the site frame, 0..=6.
    pub const fn x(self) -> i8 {
        3 - self.q() - self.r()
    }

    /// `y` of the site frame, 0..=6.
    pub const fn y(self) -> i8 {
        3 + self.r()
    }

    /// This hex after half a turn of the board, which swaps the two sides.
    #[inline]
    pub const fn turned(self) -> Hex {
        Hex(Hex::COUNT as u8 - 1 - self.0)
    }

    /// Steps from here to there on an empty board.
    pub const fn distance(self, other: Hex) -> u8 {
        let (dq, dr) = (self.q() - other.q(), self.r() - other.r());
        (dq.unsigned_abs() + dr.unsigned_abs() + (dq + dr).unsigned_abs()) / 2
    }

    /// One step in direction `direction` of [`DIRECTIONS`].
    #[inline]
    pub const fn neighbor(self, direction: usize) -> Option<Hex> {
        match TABLES.step[self.idx()][direction] {
            NO_HEX => None,
            idx => Some(Hex(idx)),
        }
    }

    /// The direction of [`DIRECTIONS`] in which `other` lies on a straight line from here.
    pub const fn direction_to(self, other: Hex) -> Option<usize> {
        let mut direction = 0;
        while direction < 6 {
            let mut at = self.neighbor(direction);
            while let Some(hex) = at {
                if hex.0 == other.0 {
                    return Some(direction);
                }
                at = hex.neighbor(direction);
            }
            direction += 1;
        }
        None
    }

    /// The hexes at distance 1.
    #[inline]
    pub const fn adjacent(self) -> HexSet {
        HexSet::from_bits(TABLES.adjacent[self.idx()])
    }

    /// The hexes at distance exactly 2.
    #[inline]
    pub const fn two_away(self) -> HexSet {
        HexSet::from_bits(TABLES.two_away[self.idx()])
    }

    /// The hexes at distance 1 or 2.
    #[inline]
    pub const fn within_two(self) -> HexSet {
        HexSet::from_bits(TABLES.adjacent[self.idx()] | TABLES.two_away[self.idx()])
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

struct Tables {
    axial: [(i8, i8); Hex::COUNT],
    at_axial: [[u8; 7]; 7],
    step: [[u8; 6]; Hex::COUNT],
    adjacent: [u64; Hex::COUNT],
    two_away: [u64; Hex::COUNT],
}

static TABLES: Tables = TABLES_CONST;
const TABLES_CONST: Tables = build_tables();

const fn build_tables() -> Tables {
    let mut tables = Tables {
        axial: [(0, 0); Hex::COUNT],
        at_axial: [[NO_HEX; 7]; 7],
        step: [[NO_HEX; 6]; Hex::COUNT],
        adjacent: [0; Hex::COUNT],
        two_away: [0; Hex::COUNT],
    };
    let mut idx = 0;
    let mut cell = 0;
    while cell < 49 {
        let (q, r) = (cell % 7 - RADIUS, cell / 7 - RADIUS);
        if (q + r).abs() <= RADIUS {
            tables.axial[idx] = (q, r);
            tables.at_axial[(r + RADIUS) as usize][(q + RADIUS) as usize] = idx as u8;
            idx += 1;
        }
        cell += 1;
    }
    let mut from = 0;
    while from < Hex::COUNT {
        let mut direction = 0;
        while direction < 6 {
            let q = tables.axial[from].0 + DIRECTIONS[direction].0;
            let r = tables.axial[from].1 + DIRECTIONS[direction].1;
            if q.abs() <= RADIUS && r.abs() <= RADIUS {
                tables.step[from][direction] =
                    tables.at_axial[(r + RADIUS) as usize][(q + RADIUS) as usize];
            }
            direction += 1;
        }
        let mut to = 0;
        while to < Hex::COUNT {
            let dq = tables.axial[from].0 - tables.axial[to].0;
            let dr = tables.axial[from].1 - tables.axial[to].1;
            match (dq.abs() + dr.abs() + (dq + dr).abs()) / 2 {
                1 => tables.adjacent[from] |= 1 << to,
                2 => tables.two_away[from] |= 1 << to,
                _ => {}
            }
            to += 1;
        }
        from += 1;
    }
    tables
}

/// The starting locations of white (side A): 4,0 and 6,1.
pub const WHITE_STARTS: HexSet = HexSet::from_bits(1 << 2 | 1 << 4);
/// The starting locations of black (side B): 0,5 and 2,6.
pub const BLACK_STARTS: HexSet = HexSet::from_bits(1 << 32 | 1 << 34);
/// The six locations that nobody controls at first: 2,1 3,2 5,3 1,3 3,4 4,5.
pub const NEUTRALS: HexSet =
    HexSet::from_bits(1 << 8 | 1 << 12 | 1 << 16 | 1 << 20 | 1 << 24 | 1 << 28);
/// All ten locations.
pub const LOCATIONS: HexSet =
    HexSet::from_bits(WHITE_STARTS.bits() | BLACK_STARTS.bits() | NEUTRALS.bits());

#[cfg(test)]
mod tests {
    use super::*;

    fn site(set: HexSet) -> Vec<String> {
        let mut texts: Vec<String> = set.into_iter().map(|hex| hex.to_string()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn locations_lie_where_the_board_prints_them() {
        assert_eq!(site(WHITE_STARTS), ["4,0", "6,1"]);
        assert_eq!(site(BLACK_STARTS), ["0,5", "2,6"]);
        assert_eq!(site(NEUTRALS), ["1,3", "2,1", "3,2", "3,4", "4,5", "5,3"]);
        assert_eq!(LOCATIONS.turned(), LOCATIONS);
        assert_eq!(WHITE_STARTS.turned(), BLACK_STARTS);
        for a in LOCATIONS {
            assert!((a.adjacent() & LOCATIONS).is_empty(), "{a} has a location beside it");
        }
    }

    #[test]
    fn distances_from_whites_starts_to_the_neutrals() {
        let neutrals = [(-2, 0), (-1, 1), (-3, 2), (2, 0), (1, -1), (3, -2)]
            .map(|(q, r)| Hex::from_axial(q, r).unwrap());
        let from = |q, r| neutrals.map(|n| Hex::from_axial(q, r).unwrap().distance(n));
        assert_eq!(from(-1, -2), [2, 3, 4, 5, 3, 4]);
        assert_eq!(from(2, -3), [4, 4, 5, 3, 2, 2]);
    }

    #[test]
    fn pair_counts_of_the_board() {
        let pairs = |of: fn(Hex) -> HexSet| Hex::all().map(|h| of(h).len()).sum::<usize>();
        assert_eq!(pairs(Hex::adjacent), 180);
        assert_eq!(pairs(Hex::two_away), 282);
        let straight = |n: usize| {
            let mut count = 0;
            for hex in Hex::all() {
                for direction in 0..6 {
                    let mut at = Some(hex);
                    for _ in 0..n {
                        at = at.and_then(|h| h.neighbor(direction));
                    }
                    count += usize::from(at.is_some());
                }
            }
            count
        };
        assert_eq!((straight(1), straight(2), straight(3)), (180, 138, 96));
    }

    #[test]
    fn frames_agree_and_half_turn_is_an_involution() {
        assert_eq!(Hex::from_axial(0, -3), Some(Hex::new(0)));
        assert_eq!(Hex::new(0).to_string(), "6,0");
        for hex in Hex::all() {
            assert_eq!(Hex::from_site(hex.x(), hex.y()), Some(hex));
            assert_eq!(Hex::from_axial(hex.q(), hex.r()), Some(hex));
            assert_eq!(hex.turned(), Hex::from_axial(-hex.q(), -hex.r()).unwrap());
            for direction in 0..6 {
                let turned = hex.turned().neighbor((direction + 3) % 6);
                assert_eq!(hex.neighbor(direction).map(Hex::turned), turned);
                if let Some(next) = hex.neighbor(direction) {
                    assert_eq!(hex.direction_to(next), Some(direction));
                    assert!(hex.adjacent().contains(next));
                }
            }
        }
    }
}
