//! A position, with what is derived from it kept beside it.

use super::piece::{BLACK, Kind, Piece, RED, side_name};
use super::square::{N_FILES, N_RANKS, N_SQUARES, Square, Squares};
use super::tables::home_points;
use game::{InvalidState, Seat};

const EMPTY: u8 = u8::MAX;

/// One complete position: pieces, who moves, and plies since the last capture. Everything else is derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// [`Piece::idx`] or [`EMPTY`].
    pieces: [u8; N_SQUARES],
    by_kind: [Squares; Kind::ALL.len()],
    by_seat: [Squares; 2],
    ranks: [u16; N_RANKS],
    files: [u16; N_FILES],
    to_move: Seat,
    plies_without_capture: u16,
    key: u64,
}

impl State {
    /// No piece at all: not a position of the game yet.
    pub(super) fn empty(to_move: Seat, plies_without_capture: u16) -> State {
        State {
            pieces: [EMPTY; N_SQUARES],
            by_kind: [Squares::NONE; Kind::ALL.len()],
            by_seat: [Squares::NONE; 2],
            ranks: [0; N_RANKS],
            files: [0; N_FILES],
            to_move,
            plies_without_capture,
            key: if to_move == RED { 0 } else { KEYS.black_to_move },
        }
    }

    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub fn plies_without_capture(&self) -> u16 {
        self.plies_without_capture
    }

    /// A number for the pieces and the side to move; the counter is no part of it.
    pub fn key(&self) -> u64 {
        self.key
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.pieces[square.idx()] {
            EMPTY => None,
            idx => {
                let seat = if usize::from(idx) < Kind::ALL.len() { RED } else { BLACK };
                Some(Piece { seat, kind: Kind::ALL[usize::from(idx) % Kind::ALL.len()] })
            }
        }
    }

    #[inline]
    pub fn of_seat(&self, seat: Seat) -> Squares {
        self.by_seat[seat.idx()]
    }

    /// Both sides' pieces of one kind.
    #[inline]
    pub fn of_kind(&self, kind: Kind) -> Squares {
        self.by_kind[kind.idx()]
    }

    #[inline]
    pub fn of(&self, seat: Seat, kind: Kind) -> Squares {
        self.by_seat[seat.idx()] & self.by_kind[kind.idx()]
    }

    #[inline]
    pub fn occupied(&self) -> Squares {
        self.by_seat[0] | self.by_seat[1]
    }

    #[inline]
    pub fn king(&self, seat: Seat) -> Square {
        self.of(seat, Kind::King).first()
    }

    /// The occupied files of the rank of `square`, and the occupied ranks of its file.
    #[inline]
    pub(super) fn lines_through(&self, square: Square) -> (u16, u16) {
        (self.ranks[square.rank()], self.files[square.file()])
    }

    /// Puts a piece on an empty point.
    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert_eq!(self.pieces[square.idx()], EMPTY);
        self.pieces[square.idx()] = piece.idx() as u8;
        self.flip(square, piece);
        self.ranks[square.rank()] ^= 1 << square.file();
        self.files[square.file()] ^= 1 << square.rank();
    }

    #[inline]
    fn flip(&mut self, square: Square, piece: Piece) {
        let set = Squares::of(square);
        self.by_kind[piece.kind.idx()] = self.by_kind[piece.kind.idx()] ^ set;
        self.by_seat[piece.seat.idx()] = self.by_seat[piece.seat.idx()] ^ set;
        self.key ^= KEYS.piece_on[piece.idx()][square.idx()];
    }

    /// Moves the piece on `from`, takes what stands on `to`, and passes the turn.
    #[inline]
    pub(super) fn move_piece(&mut self, from: Square, to: Square) -> Option<Kind> {
        let captured = self.piece_at(to);
        if let Some(piece) = captured {
            self.flip(to, piece);
            self.plies_without_capture = 0;
        } else {
            self.ranks[to.rank()] ^= 1 << to.file();
            self.files[to.file()] ^= 1 << to.rank();
            self.plies_without_capture += 1;
        }
        self.shift(from, to);
        self.pieces[from.idx()] = EMPTY;
        self.ranks[from.rank()] ^= 1 << from.file();
        self.files[from.file()] ^= 1 << from.rank();
        self.pass_turn();
        captured.map(|piece| piece.kind)
    }

    /// Takes [`State::move_piece`] back.
    #[inline]
    pub(super) fn unmove_piece(
        &mut self,
        from: Square,
        to: Square,
        captured: Option<Kind>,
        plies_without_capture: u16,
    ) {
        let opponent = self.to_move;
        self.pass_turn();
        self.plies_without_capture = plies_without_capture;
        self.shift(to, from);
        self.ranks[from.rank()] ^= 1 << from.file();
        self.files[from.file()] ^= 1 << from.rank();
        if let Some(kind) = captured {
            let piece = Piece { seat: opponent, kind };
            self.pieces[to.idx()] = piece.idx() as u8;
            self.flip(to, piece);
        } else {
            self.pieces[to.idx()] = EMPTY;
            self.ranks[to.rank()] ^= 1 << to.file();
            self.files[to.file()] ^= 1 << to.rank();
        }
    }

    /// Carries a piece over in everything but the lines and the point it leaves.
    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        let idx = usize::from(self.pieces[from.idx()]);
        let set = Squares::of(from) | Squares::of(to);
        let (seat, kind) = (idx / Kind::ALL.len(), idx % Kind::ALL.len());
        self.by_kind[kind] = self.by_kind[kind] ^ set;
        self.by_seat[seat] = self.by_seat[seat] ^ set;
        self.pieces[to.idx()] = idx as u8;
        self.key ^= KEYS.piece_on[idx][from.idx()] ^ KEYS.piece_on[idx][to.idx()];
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.to_move = self.to_move.other();
        self.key ^= KEYS.black_to_move;
    }

    /// The same pieces with the other side to move: what a search supposes when it lets a side pass.
    pub(super) fn after_pass(&self) -> State {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// The same position built anew from its pieces.
    pub(super) fn rebuilt(&self) -> State {
        let mut built = State::empty(self.to_move, self.plies_without_capture);
        for square in Squares::ALL {
            if let Some(piece) = self.piece_at(square) {
                built.put(square, piece);
            }
        }
        built
    }

    /// The position with colours exchanged and the board turned round: what Black sees as Red sees this.
    pub fn from_the_other_side(&self) -> State {
        let mut turned = State::empty(self.to_move.other(), self.plies_without_capture);
        for square in self.occupied() {
            if let Some(Piece { seat, kind }) = self.piece_at(square) {
                turned.put(square.across(), Piece { seat: seat.other(), kind });
            }
        }
        turned
    }

    /// The position with left and right exchanged.
    pub fn mirrored(&self) -> State {
        let mut mirrored = State::empty(self.to_move, self.plies_without_capture);
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                mirrored.put(square.mirrored(), piece);
            }
        }
        mirrored
    }

    /// Whether derived fields agree with the pieces and every piece stands where it can stand.
    pub(super) fn check(&self) -> Result<(), InvalidState> {
        if self.rebuilt() != *self {
            return Err(InvalidState("a derived field differs from the pieces".to_owned()));
        }
        for seat in [RED, BLACK] {
            for kind in Kind::ALL {
                let (side, name, pieces) = (side_name(seat), kind.name(), self.of(seat, kind));
                if pieces.len() > kind.n_max() {
                    let (n, n_max) = (pieces.len(), kind.n_max());
                    return Err(InvalidState(format!(
                        "{side} has {n} pieces of kind {name} at {pieces:?}, and {n_max} is the most"
                    )));
                }
                if let Some(square) = (pieces & !home_points_or_all(kind, seat)).next() {
                    return Err(InvalidState(format!("a {side} {name} cannot stand on {square}")));
                }
            }
            if self.of(seat, Kind::King).is_empty() {
                return Err(InvalidState(format!("{} has no king", side_name(seat))));
            }
        }
        Ok(())
    }
}

/// Where pieces of a kind can ever stand. A pawn never stands behind its first place, and before the river only on
/// its own file.
fn home_points_or_all(kind: Kind, seat: Seat) -> Squares {
    match kind {
        Kind::King | Kind::Advisor | Kind::Bishop => home_points(kind, seat),
        Kind::Pawn => {
            let reachable = |square: &Square| {
                let from_red = if seat == RED { *square } else { square.across() };
                match from_red.rank() {
                    0..=2 => false,
                    3 | 4 => from_red.file() % 2 == 0,
                    _ => true,
                }
            };
            Squares::ALL
                .filter(reachable)
                .fold(Squares::NONE, |set, square| set | Squares::of(square))
        }
        Kind::Knight | Kind::Rook | Kind::Cannon => Squares::ALL,
    }
}

struct Keys {
    piece_on: [[u64; N_SQUARES]; 2 * Kind::ALL.len()],
    black_to_move: u64,
}

/// Numbers of a fixed generator (SplitMix64), so that keys are the same in every build.
static KEYS: Keys = {
    const fn split_mix(n: u64) -> u64 {
        let z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x5869_616e_6771_6921);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    let mut keys =
        Keys { piece_on: [[0; N_SQUARES]; 2 * Kind::ALL.len()], black_to_move: split_mix(1) };
    let mut piece = 0;
    while piece < keys.piece_on.len() {
        let mut idx = 0;
        while idx < N_SQUARES {
            keys.piece_on[piece][idx] = split_mix((2 + piece * N_SQUARES + idx) as u64);
            idx += 1;
        }
        piece += 1;
    }
    keys
};
