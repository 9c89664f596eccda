//! What each kind of piece reaches, worked out once by the compiler.
//!
//! Sliding pieces look up one rank and one file: the index is where the piece stands on the line and which points of
//! the line are occupied. The others look up their point; the knight also which of its four legs are blocked.

use super::square::{N_FILES, N_RANKS, N_SQUARES, Square, Squares};

/// Points of the two palaces, numbered 0 to 17; the places where a king can stand.
pub const N_PALACE: usize = 18;

const fn file_of(idx: usize) -> i32 {
    (idx % N_FILES) as i32
}

const fn rank_of(idx: usize) -> i32 {
    (idx / N_FILES) as i32
}

const fn bit(file: i32, rank: i32) -> u128 {
    match Square::at(file, rank) {
        Some(square) => 1 << square.idx(),
        None => 0,
    }
}

const fn is_palace(file: i32, rank: i32) -> bool {
    file >= 3 && file <= 5 && (rank >= 0 && rank <= 2 || rank >= 7 && rank <= 9)
}

/// The own half: ranks 0–4 for Red, 5–9 for Black.
const fn is_home(seat: usize, rank: i32) -> bool {
    if seat == 0 { rank <= 4 } else { rank >= 5 }
}

/// The number of a palace point, or 255.
pub static PALACE_IDX: [u8; N_SQUARES] = {
    let mut table = [u8::MAX; N_SQUARES];
    let mut next = 0;
    let mut idx = 0;
    while idx < N_SQUARES {
        if is_palace(file_of(idx), rank_of(idx)) {
            table[idx] = next;
            next += 1;
        }
        idx += 1;
    }
    table
};

/// Where a rook on `place` of a line of `LEN` points gets, first blockers included, for each set of occupied points.
const fn rook_line<const LEN: usize, const SETS: usize>() -> [[u16; SETS]; LEN] {
    let mut table = [[0u16; SETS]; LEN];
    let mut place = 0;
    while place < LEN {
        let mut occupied = 0;
        while occupied < SETS {
            let mut reached = 0u16;
            let mut at = place + 1;
            while at < LEN {
                reached |= 1 << at;
                if occupied >> at & 1 == 1 {
                    break;
                }
                at += 1;
            }
            let mut below = place;
            while below > 0 {
                below -= 1;
                reached |= 1 << below;
                if occupied >> below & 1 == 1 {
                    break;
                }
            }
            table[place][occupied] = reached;
            occupied += 1;
        }
        place += 1;
    }
    table
}

/// Where a cannon gets: the empty points up to the first blocker, and the first occupied point behind it.
const fn cannon_line<const LEN: usize, const SETS: usize>() -> [[u16; SETS]; LEN] {
    let mut table = [[0u16; SETS]; LEN];
    let mut place = 0;
    while place < LEN {
        let mut occupied = 0;
        while occupied < SETS {
            let mut reached = 0u16;
            let mut screens = 0;
            let mut at = place + 1;
            while at < LEN && screens < 2 {
                let is_occupied = occupied >> at & 1 == 1;
                if is_occupied {
                    screens += 1;
                }
                if is_occupied && screens == 2 || !is_occupied && screens == 0 {
                    reached |= 1 << at;
                }
                at += 1;
            }
            screens = 0;
            let mut below = place;
            while below > 0 && screens < 2 {
                below -= 1;
                let is_occupied = occupied >> below & 1 == 1;
                if is_occupied {
                    screens += 1;
                }
                if is_occupied && screens == 2 || !is_occupied && screens == 0 {
                    reached |= 1 << below;
                }
            }
            table[place][occupied] = reached;
            occupied += 1;
        }
        place += 1;
    }
    table
}

pub static ROOK_ON_RANK: [[u16; 1 << N_FILES]; N_FILES] = rook_line();
pub static ROOK_ON_FILE: [[u16; 1 << N_RANKS]; N_RANKS] = rook_line();
pub static CANNON_ON_RANK: [[u16; 1 << N_FILES]; N_FILES] = cannon_line();
pub static CANNON_ON_FILE: [[u16; 1 << N_RANKS]; N_RANKS] = cannon_line();

/// A set of points of the first file, given by their ranks.
pub static SPREAD_ON_FILE: [u128; 1 << N_RANKS] = {
    let mut table = [0; 1 << N_RANKS];
    let mut ranks = 0;
    while ranks < table.len() {
        let mut rank = 0;
        while rank < N_RANKS {
            if ranks >> rank & 1 == 1 {
                table[ranks] |= 1 << (rank * N_FILES);
            }
            rank += 1;
        }
        ranks += 1;
    }
    table
};

/// The knight's four legs and the two jumps over each: a leg is bit 0 left, 1 below, 2 right, 3 above.
const LEGS: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];

const fn knight_jumps(file: i32, rank: i32, leg: usize) -> u128 {
    let (across, up) = LEGS[leg];
    if across != 0 {
        bit(file + 2 * across, rank + 1) | bit(file + 2 * across, rank - 1)
    } else {
        bit(file + 1, rank + 2 * up) | bit(file - 1, rank + 2 * up)
    }
}

/// Where a knight gets, by the set of its blocked legs.
pub static KNIGHT: [[u128; 16]; N_SQUARES] = {
    let mut table = [[0; 16]; N_SQUARES];
    let mut idx = 0;
    while idx < N_SQUARES {
        let mut blocked = 0;
        while blocked < 16 {
            let mut leg = 0;
            while leg < 4 {
                if blocked >> leg & 1 == 0 {
                    table[idx][blocked] |= knight_jumps(file_of(idx), rank_of(idx), leg);
                }
                leg += 1;
            }
            blocked += 1;
        }
        idx += 1;
    }
    table
};

/// The four diagonal jumps of a bishop on its own half, with the eye that must be free. A missing jump is 0.
pub static BISHOP: [[(u128, u128); 4]; N_SQUARES] = {
    let mut table = [[(0, 0); 4]; N_SQUARES];
    let diagonals = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut idx = 0;
    while idx < N_SQUARES {
        let (file, rank) = (file_of(idx), rank_of(idx));
        let mut k = 0;
        while k < 4 {
            let (across, up) = diagonals[k];
            let to_rank = rank + 2 * up;
            if is_home(0, rank) == is_home(0, to_rank) {
                table[idx][k] = (bit(file + across, rank + up), bit(file + 2 * across, to_rank));
            }
            k += 1;
        }
        idx += 1;
    }
    table
};

const fn steps_in_palace(steps: [(i32, i32); 4]) -> [u128; N_SQUARES] {
    let mut table = [0; N_SQUARES];
    let mut idx = 0;
    while idx < N_SQUARES {
        let (file, rank) = (file_of(idx), rank_of(idx));
        let mut k = 0;
        while k < 4 {
            let (to_file, to_rank) = (file + steps[k].0, rank + steps[k].1);
            if is_palace(file, rank) && is_palace(to_file, to_rank) {
                table[idx] |= bit(to_file, to_rank);
            }
            k += 1;
        }
        idx += 1;
    }
    table
}

pub static KING: [u128; N_SQUARES] = steps_in_palace(LEGS);
pub static ADVISOR: [u128; N_SQUARES] = steps_in_palace([(1, 1), (1, -1), (-1, 1), (-1, -1)]);

/// Where a pawn of each seat gets: forward, and sideways beyond the river.
pub static PAWN: [[u128; N_SQUARES]; 2] = PAWN_REACH;

const PAWN_REACH: [[u128; N_SQUARES]; 2] = {
    let mut table = [[0; N_SQUARES]; 2];
    let mut seat = 0;
    while seat < 2 {
        let forward = if seat == 0 { 1 } else { -1 };
        let mut idx = 0;
        while idx < N_SQUARES {
            let (file, rank) = (file_of(idx), rank_of(idx));
            table[seat][idx] = bit(file, rank + forward);
            if !is_home(seat, rank) {
                table[seat][idx] |= bit(file - 1, rank) | bit(file + 1, rank);
            }
            idx += 1;
        }
        seat += 1;
    }
    table
};

/// What can attack a king on a palace point.
pub struct Approach {
    /// The rest of its rank and file.
    pub lines: u128,
    /// Points from which a knight could jump onto it.
    pub knights: u128,
    /// Points from which a pawn of each seat steps onto it.
    pub pawns: [u128; 2],
    /// For each point: what lies between it and the king on their common line; for a knight's point its leg.
    pub between: [u128; N_SQUARES],
}

const fn between(king: usize, other: usize) -> u128 {
    let (file, rank) = (file_of(king), rank_of(king));
    let (across, up) = (file_of(other) - file, rank_of(other) - rank);
    if across * across + up * up == 5 {
        // The leg is beside the knight, towards the king along the longer way.
        return if across * across == 4 {
            bit(file + across / 2, rank + up)
        } else {
            bit(file + across, rank + up / 2)
        };
    }
    if across != 0 && up != 0 {
        return 0;
    }
    let (step_across, step_up) = (across.signum(), up.signum());
    let mut set = 0;
    let mut at = (file + step_across, rank + step_up);
    while at.0 != file + across || at.1 != rank + up {
        set |= bit(at.0, at.1);
        at = (at.0 + step_across, at.1 + step_up);
    }
    set
}

const fn approach(king: usize) -> Approach {
    let (file, rank) = (file_of(king), rank_of(king));
    let mut found =
        Approach { lines: 0, knights: KNIGHT_OPEN[king], pawns: [0; 2], between: [0; N_SQUARES] };
    let mut idx = 0;
    while idx < N_SQUARES {
        if idx != king {
            if file_of(idx) == file || rank_of(idx) == rank {
                found.lines |= 1 << idx;
            }
            found.between[idx] = between(king, idx);
            let mut seat = 0;
            while seat < 2 {
                if PAWN_REACH[seat][idx] >> king & 1 == 1 {
                    found.pawns[seat] |= 1 << idx;
                }
                seat += 1;
            }
        }
        idx += 1;
    }
    found
}

const KNIGHT_OPEN: [u128; N_SQUARES] = {
    let mut table = [0; N_SQUARES];
    let mut idx = 0;
    while idx < N_SQUARES {
        let mut leg = 0;
        while leg < 4 {
            table[idx] |= knight_jumps(file_of(idx), rank_of(idx), leg);
            leg += 1;
        }
        idx += 1;
    }
    table
};

static APPROACH: [Approach; N_PALACE] = {
    const NOTHING: Approach =
        Approach { lines: 0, knights: 0, pawns: [0; 2], between: [0; N_SQUARES] };
    let mut table = [NOTHING; N_PALACE];
    let mut next = 0;
    let mut idx = 0;
    while idx < N_SQUARES {
        if is_palace(file_of(idx), rank_of(idx)) {
            table[next] = approach(idx);
            next += 1;
        }
        idx += 1;
    }
    table
};

/// `king` is a palace point.
#[inline]
pub fn approach_to(king: Square) -> &'static Approach {
    &APPROACH[PALACE_IDX[king.idx()] as usize]
}

/// The points where a seat's advisors, bishops or king can ever stand.
pub fn home_points(kind: super::piece::Kind, seat: game::Seat) -> Squares {
    use super::piece::Kind;
    let wanted = |file: i32, rank: i32| match kind {
        Kind::King => is_palace(file, rank),
        Kind::Advisor => is_palace(file, rank) && (file - 4).abs() == (rank % 7 - 1).abs(),
        Kind::Bishop => match rank % 5 {
            2 => file % 4 == 0,
            0 | 4 => file == 2 || file == 6,
            _ => false,
        },
        _ => true,
    };
    let mut set = Squares::NONE;
    for idx in 0..N_SQUARES {
        let (file, rank) = (file_of(idx), rank_of(idx));
        if is_home(seat.idx(), rank) && wanted(file, rank) {
            set |= Squares(1 << idx);
        }
    }
    set
}
