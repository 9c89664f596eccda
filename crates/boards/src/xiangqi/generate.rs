//! Legal moves. What could expose the own king is worked out once a position, so that nearly all moves are known to
//! be legal without being tried.

use super::piece::Kind;
use super::square::{N_FILES, Square, Squares};
use super::state::State;
use super::tables::{
    ADVISOR, BISHOP, CANNON_ON_FILE, CANNON_ON_RANK, KING, KNIGHT, PAWN, ROOK_ON_FILE,
    ROOK_ON_RANK, SPREAD_ON_FILE, approach_to,
};
use game::{ActionSink, Seat};
use std::fmt;
use std::ops::ControlFlow;

/// The piece on `from` goes to `to` and takes what stands there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    pub from: Square,
    pub to: Square,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Which moves of the side to move can leave its king attacked. The king's own moves always can.
struct Exposure {
    is_check: bool,
    /// Pieces that shield the king: from a rook or the other king as the only one between, from a cannon as one of
    /// two, from a knight as its leg.
    leaving: Squares,
    /// Points where a piece would be the screen of a cannon.
    entering: Squares,
}

#[inline]
fn exposure(state: &State, seat: Seat) -> Exposure {
    let king = state.king(seat);
    let approach = approach_to(king);
    let (enemies, occupied) = (state.of_seat(seat.other()), state.occupied());
    let cannons = state.of_kind(Kind::Cannon);
    let sliders = state.of_kind(Kind::Rook) | cannons | state.of_kind(Kind::King);
    let mut found = Exposure { is_check: false, leaving: Squares::NONE, entering: Squares::NONE };
    for slider in enemies & sliders & Squares(approach.lines) {
        let between = Squares(approach.between[slider.idx()]);
        let blockers = between & occupied;
        match (blockers.len(), cannons.contains(slider)) {
            (0, false) | (1, true) => found.is_check = true,
            (1, false) | (2, true) => found.leaving |= blockers,
            (0, true) => found.entering |= between,
            _ => {}
        }
    }
    for knight in enemies & state.of_kind(Kind::Knight) & Squares(approach.knights) {
        let leg = Squares(approach.between[knight.idx()]);
        if (leg & occupied).is_empty() {
            found.is_check = true;
        } else {
            found.leaving |= leg;
        }
    }
    let pawns = Squares(approach.pawns[seat.other().idx()]);
    found.is_check |= !(enemies & state.of_kind(Kind::Pawn) & pawns).is_empty();
    found
}

/// Whether a king on `king`, a palace point, is attacked by `enemies` of `enemy` when `occupied` is occupied.
#[inline]
fn is_attacked(
    state: &State,
    enemy: Seat,
    king: Square,
    enemies: Squares,
    occupied: Squares,
) -> bool {
    let approach = approach_to(king);
    let cannons = state.of_kind(Kind::Cannon);
    let sliders = state.of_kind(Kind::Rook) | cannons | state.of_kind(Kind::King);
    for slider in enemies & sliders & Squares(approach.lines) {
        let blockers = Squares(approach.between[slider.idx()]) & occupied;
        if blockers.len() == usize::from(cannons.contains(slider)) {
            return true;
        }
    }
    for knight in enemies & state.of_kind(Kind::Knight) & Squares(approach.knights) {
        if (Squares(approach.between[knight.idx()]) & occupied).is_empty() {
            return true;
        }
    }
    let pawns = Squares(approach.pawns[enemy.idx()]);
    !(enemies & state.of_kind(Kind::Pawn) & pawns).is_empty()
}

/// Whether the king of `seat` is attacked, by the other king on an open file too.
pub fn is_in_check(state: &State, seat: Seat) -> bool {
    let enemies = state.of_seat(seat.other());
    is_attacked(state, seat.other(), state.king(seat), enemies, state.occupied())
}

/// Whether the king of the side to move is safe after a move that its piece can make.
#[inline]
fn is_safe(state: &State, from: Square, to: Square) -> bool {
    let seat = state.to_move();
    let king = state.king(seat);
    let enemies = state.of_seat(seat.other()) & !Squares::of(to);
    let occupied = (state.occupied() & !Squares::of(from)) | Squares::of(to);
    let king = if from == king { to } else { king };
    !is_attacked(state, seat.other(), king, enemies, occupied)
}

/// Where a piece of `kind` on `from` gets, with own pieces among the points.
#[inline]
pub(super) fn reach(state: &State, seat: Seat, kind: Kind, from: Square) -> Squares {
    let (on_rank, on_file) = state.lines_through(from);
    let (file, rank) = (from.file(), from.rank());
    match kind {
        Kind::King => Squares(KING[from.idx()]),
        Kind::Advisor => Squares(ADVISOR[from.idx()]),
        Kind::Pawn => Squares(PAWN[seat.idx()][from.idx()]),
        Kind::Bishop => {
            let occupied = state.occupied().0;
            let mut reached = 0;
            for (eye, to) in BISHOP[from.idx()] {
                if eye & occupied == 0 {
                    reached |= to;
                }
            }
            Squares(reached)
        }
        Kind::Knight => {
            let beside = (on_rank << 1 >> file) & 0b101;
            let along = (on_file << 1 >> rank) & 0b101;
            Squares(KNIGHT[from.idx()][usize::from(beside | along << 1)])
        }
        Kind::Rook => spread(
            from,
            ROOK_ON_RANK[file][usize::from(on_rank)],
            ROOK_ON_FILE[rank][usize::from(on_file)],
        ),
        Kind::Cannon => spread(
            from,
            CANNON_ON_RANK[file][usize::from(on_rank)],
            CANNON_ON_FILE[rank][usize::from(on_file)],
        ),
    }
}

#[inline]
fn spread(from: Square, on_rank: u16, on_file: u16) -> Squares {
    Squares(
        u128::from(on_rank) << (from.rank() * N_FILES)
            | SPREAD_ON_FILE[usize::from(on_file)] << from.file(),
    )
}

/// Every legal move of the side to move: kinds in the order of [`Kind::ALL`], points ascending.
#[inline]
pub(super) fn moves(state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    moves_onto(Squares::ALL, state, sink)
}

/// [`moves`] that end on one of `goals`.
#[inline]
pub(super) fn moves_onto(
    goals: Squares,
    state: &State,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    let seat = state.to_move();
    let exposure = exposure(state, seat);
    let goals = goals & !state.of_seat(seat);
    moves_of(Kind::King, goals, state, &exposure, sink)?;
    moves_of(Kind::Advisor, goals, state, &exposure, sink)?;
    moves_of(Kind::Bishop, goals, state, &exposure, sink)?;
    moves_of(Kind::Knight, goals, state, &exposure, sink)?;
    moves_of(Kind::Rook, goals, state, &exposure, sink)?;
    moves_of(Kind::Cannon, goals, state, &exposure, sink)?;
    moves_of(Kind::Pawn, goals, state, &exposure, sink)
}

#[inline(always)]
fn moves_of(
    kind: Kind,
    goals: Squares,
    state: &State,
    exposure: &Exposure,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    let seat = state.to_move();
    for from in state.of(seat, kind) {
        let reached = reach(state, seat, kind, from) & goals;
        let is_doubtful =
            kind == Kind::King || exposure.is_check || exposure.leaving.contains(from);
        let doubtful = if is_doubtful { reached } else { reached & exposure.entering };
        let mut legal = reached & !doubtful;
        for to in doubtful {
            if is_safe(state, from, to) {
                legal |= Squares::of(to);
            }
        }
        sink.push_set(legal.len(), legal.map(|to| Action { from, to }))?;
    }
    ControlFlow::Continue(())
}

/// Whether the side to move may play `action`.
pub(super) fn is_legal(state: &State, action: Action) -> bool {
    let seat = state.to_move();
    state.piece_at(action.from).is_some_and(|piece| {
        piece.seat == seat
            && !state.of_seat(seat).contains(action.to)
            && reach(state, seat, piece.kind, action.from).contains(action.to)
            && is_safe(state, action.from, action.to)
    })
}
