//! The smallest game a network can be given: a seat knows four numbers, and any of seven hexes or a flat action
//! may be chosen.

use game::{
    ActionSink, ActionSpace, Chance, DecodeError, Encode, Ending, FeatureLayout, Fingerprinted,
    Hidden, InvalidState, PolicyLayout, Rules, Seat, Stream, Turn, Utility,
};
use std::ops::ControlFlow;

/// The options stand in the fingerprint alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FakeGame {
    pub pool: &'static str,
}

/// Seat to act, the hex that a good player chooses, whether it wins, and a number without meaning.
pub type Known = [u8; 4];

/// A hexagon of radius 1 in a 3 × 3 grid.
pub const BOARD_CELLS: [usize; 7] = [1, 2, 3, 4, 5, 6, 7];
/// Action index of the one flat action.
pub const FLAT: u16 = 9;

pub fn known(seat: u8, hex: u8, wins: bool, noise: u8) -> Known {
    [seat, hex, u8::from(wins), noise]
}

impl Rules for FakeGame {
    type Setup = ();
    type State = Known;
    type Action = u8;
    type Undo = Known;

    const NAME: &'static str = "fake";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> Known {
        known(0, 0, true, 0)
    }

    fn turn(&self, state: &Known) -> Turn {
        if state[0] > 1 { Turn::Over } else { Turn::Seat(Seat::new(state[0])) }
    }

    fn actions(&self, state: &Known, sink: &mut impl ActionSink<u8>) -> ControlFlow<()> {
        self.now_actions(state, sink)
    }

    fn apply(&self, state: &mut Known, _: u8) -> Known {
        std::mem::replace(state, [2; 4])
    }

    fn undo(&self, state: &mut Known, _: u8, undo: Known) {
        *state = undo;
    }

    fn ending(&self, state: &Known) -> Option<Ending> {
        (state[0] > 1).then(|| Ending::Scored(Utility::new(&[0.0, 0.0])))
    }

    fn validate(&self, _: &Known) -> Result<(), InvalidState> {
        Ok(())
    }

    fn is_possible(&self, state: &Known, action: u8) -> bool {
        self.is_legal(state, action)
    }
}

impl Chance for FakeGame {
    fn outcomes(&self, _: &Known, _: &mut impl FnMut(u8, u32)) {}
}

impl Hidden for FakeGame {
    type Now = Known;
    type Event = u8;

    const OBSERVATION: &'static str = "fake-v1";

    fn now(&self, state: &Known, _: Seat) -> Known {
        *state
    }

    fn event(&self, _: &Known, action: u8, _: Seat) -> u8 {
        action
    }

    fn now_observer(&self, now: &Known) -> Seat {
        Seat::new(now[0])
    }

    fn now_turn(&self, now: &Known) -> Turn {
        self.turn(now)
    }

    fn now_setup(&self, _: &Known) {}

    /// All seven hexes, and the flat action where the last number is odd.
    fn now_actions(&self, now: &Known, sink: &mut impl ActionSink<u8>) -> ControlFlow<()> {
        for action in 0..7 + (now[3] & 1) {
            sink.push(action)?;
        }
        ControlFlow::Continue(())
    }

    fn write_now(&self, now: &Known, out: &mut Vec<u8>) {
        out.extend_from_slice(now);
    }

    fn now_len(&self) -> usize {
        4
    }

    fn read_now(&self, bytes: &[u8]) -> Result<Known, DecodeError> {
        let fault = |reason: &str| DecodeError { what: "fake now", reason: reason.to_owned() };
        let now: Known = bytes.try_into().map_err(|_| fault("is not four bytes"))?;
        if now[0] > 1 || now[1] > 6 || now[2] > 1 {
            return Err(fault("holds a number that no state has"));
        }
        Ok(now)
    }

    fn write_event(&self, event: &u8, out: &mut Vec<u8>) {
        out.push(*event);
    }
}

impl ActionSpace for FakeGame {
    fn policy_layout(&self) -> PolicyLayout {
        PolicyLayout { planes: 1, height: 3, width: 3, flat: 1 }
    }

    fn action_index(&self, (): &(), _: Seat, action: u8) -> u16 {
        BOARD_CELLS.get(usize::from(action)).map_or(FLAT, |cell| *cell as u16)
    }

    fn action_spec(&self) -> String {
        "hex\nflat\n".to_owned()
    }
}

impl Encode for FakeGame {
    fn feature_layout(&self) -> FeatureLayout {
        FeatureLayout { planes: 2, height: 3, width: 3, globals: 2 }
    }

    fn write_features(&self, now: &Known, out: &mut [f32]) {
        out.fill(0.0);
        out[BOARD_CELLS[usize::from(now[1])]] = 1.0;
        BOARD_CELLS.iter().for_each(|cell| out[9 + cell] = 1.0);
        out[18] = f32::from(now[2]) * 2.0 - 1.0;
        out[19] = f32::from(now[3]) / 255.0;
    }

    fn cell_mask(&self) -> Vec<bool> {
        (0..9).map(|cell| BOARD_CELLS.contains(&cell)).collect()
    }

    fn feature_spec(&self) -> String {
        "good hex\nboard\nwins\nnoise\n".to_owned()
    }
}

impl Fingerprinted for FakeGame {
    fn fingerprint_text(&self) -> String {
        format!("fake game, pool {}\n{}{}", self.pool, self.feature_spec(), self.action_spec())
    }
}
