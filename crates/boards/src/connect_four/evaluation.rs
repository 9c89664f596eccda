//! What threats of four are worth.

use super::rules::ConnectFour;
use super::state::{Column, State};
use game::{SearchHints, StaticEvaluation};

/// Three of a possible four.
const THREE: i32 = 60;
/// Two of a possible four.
const TWO: i32 = 10;

impl ConnectFour {
    /// Every stretch of four places that holds discs of one side only, by how many.
    fn stretches(&self, own: u64, other: u64) -> i32 {
        let mut worth = 0;
        let board = (0..self.columns())
            .flat_map(|column| (0..self.rows()).map(move |row| (column, row)))
            .fold(0, |bits, (column, row)| bits | self.bit(column, row));
        for step in self.steps() {
            let open = |discs: u64, n: u32| (discs >> (n * step), board >> (n * step));
            let places = (0..4).fold(board, |places, n| places & open(0, n).1);
            let blocked = (0..4).fold(0, |blocked, n| blocked | open(other, n).0);
            let free = places & !blocked;
            // How many of the four places hold a disc, added bit by bit.
            let (mut ones, mut twos, mut fours) = (0, 0, 0);
            for n in 0..4 {
                let discs = open(own, n).0;
                let carry = ones & discs;
                ones ^= discs;
                fours |= twos & carry;
                twos ^= carry;
            }
            worth += THREE * (free & ones & twos & !fours).count_ones() as i32;
            worth += TWO * (free & !ones & twos & !fours).count_ones() as i32;
        }
        worth
    }
}

impl StaticEvaluation for ConnectFour {
    fn static_score(&self, state: &State) -> i32 {
        let own = state.discs[state.to_move.idx()];
        let other = state.waiting();
        self.stretches(own, other) - self.stretches(other, own)
    }
}

impl SearchHints for ConnectFour {
    /// The middle first, as more rows of four run through it; a place that makes a three before that.
    fn promise(&self, state: &State, column: Column) -> i32 {
        let own = state.discs[state.to_move.idx()];
        let landing = self.landing(state.occupied(), column.0.into());
        let gained =
            self.stretches(own | landing, state.waiting()) - self.stretches(own, state.waiting());
        let off_centre = (2 * i32::from(column.0) + 1 - self.columns() as i32).abs();
        gained.min(900) - off_centre
    }
}
