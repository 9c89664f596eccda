//! What a small game must say about itself, and how that makes it a game for searches and solvers.

use crate::line::{Act, Line, PLIES_MAX, Sight};
use crate::look_alike::{Found, LookAlikes};
use game::{
    ActionSink, ActionSpace, Appeal, Chance, DecodeError, Encode, Ending, FeatureLayout,
    Fingerprinted, Hidden, InvalidState, Notation, NotationError, PolicyLayout, Render, Rules,
    Seat, SecondPast, SecondTruth, Stream, Tactical, Turn, Utility,
};
use std::fmt;
use std::ops::ControlFlow;

/// The rules of a game of few plies. Everything follows from the acts so far.
///
/// `turn` and `legal` are also asked about a line in which the acts that a seat was not shown are [`Act::HIDDEN`]:
/// `turn` must not depend on those, and `legal` not on those that the seat to act was not shown.
pub trait SmallGame: Clone + fmt::Debug + Send + Sync + 'static {
    const NAME: &'static str;

    /// The name in the catalogue, where one type is several games.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn n_seats(&self) -> usize {
        2
    }

    fn is_zero_sum(&self) -> bool {
        true
    }

    /// No line is longer; at most [`PLIES_MAX`].
    fn plies_max(&self) -> usize;

    /// Acts have numbers below this.
    fn n_acts(&self) -> usize;

    fn turn(&self, acts: &[Act]) -> Turn;

    /// Calls `each` with every legal act of the seat to act.
    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act));

    /// Calls `each` with every possible chance outcome and its weight (at least 1).
    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32));

    /// The result of a finished line.
    fn utility(&self, acts: &[Act]) -> Utility;

    /// What `seat` sees of `act`, played after `before`.
    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight;

    /// One word. The words of all acts differ.
    fn act_text(&self, act: Act) -> String;

    /// What a signal says, as one word.
    fn signal_text(&self, signal: u8) -> String {
        format!("signal-{signal}")
    }

    /// The parameters as text; part of the fingerprint.
    fn parameters(&self) -> String;
}

/// A small game for searches and solvers.
#[derive(Clone, Copy, Debug)]
pub struct Small<G>(pub G);

/// What one seat knows: the line as it saw it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Knowledge {
    seat: Seat,
    n: u8,
    sights: [Sight; PLIES_MAX],
}

impl Knowledge {
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// One sight a ply.
    pub fn sights(&self) -> &[Sight] {
        &self.sights[..usize::from(self.n)]
    }

    fn acts(&self) -> [Act; PLIES_MAX] {
        self.sights.map(|sight| sight.act)
    }
}

impl fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: ", self.seat)?;
        f.debug_list().entries(self.sights()).finish()
    }
}

impl<G: SmallGame> Rules for Small<G> {
    type Setup = ();
    type State = Line;
    type Action = Act;
    type Undo = ();

    const NAME: &'static str = G::NAME;

    fn n_seats(&self) -> usize {
        self.0.n_seats()
    }

    fn is_zero_sum(&self) -> bool {
        self.0.is_zero_sum()
    }

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> Line {
        Line::START
    }

    fn turn(&self, state: &Line) -> Turn {
        self.0.turn(state.acts())
    }

    fn actions(&self, state: &Line, sink: &mut impl ActionSink<Act>) -> ControlFlow<()> {
        match self.turn(state) {
            Turn::Seat(_) => push_all(sink, |each| self.0.legal(state.acts(), each)),
            Turn::Chance | Turn::Over => ControlFlow::Continue(()),
        }
    }

    fn apply(&self, state: &mut Line, action: Act) {
        debug_assert!(self.is_possible(state, action), "{action:?} after {state:?}");
        state.push(action);
    }

    fn undo(&self, state: &mut Line, _: Act, (): ()) {
        state.pop();
    }

    fn ending(&self, state: &Line) -> Option<Ending> {
        let is_over = self.turn(state) == Turn::Over;
        is_over.then(|| Ending::Scored(self.0.utility(state.acts())))
    }

    fn validate(&self, state: &Line) -> Result<(), InvalidState> {
        let mut replayed = Line::START;
        for act in state.acts() {
            if !self.is_possible(&replayed, *act) {
                return Err(InvalidState(format!("{act:?} cannot follow {replayed:?}")));
            }
            replayed.push(*act);
        }
        Ok(())
    }

    fn is_possible(&self, state: &Line, action: Act) -> bool {
        match self.turn(state) {
            Turn::Over => false,
            Turn::Seat(_) => self.is_legal(state, action),
            Turn::Chance => {
                let mut found = false;
                self.0.outcomes(state.acts(), &mut |outcome, _| found |= outcome == action);
                found
            }
        }
    }
}

fn push_all(
    sink: &mut impl ActionSink<Act>,
    generate: impl FnOnce(&mut dyn FnMut(Act)),
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    generate(&mut |act| {
        if flow.is_continue() {
            flow = sink.push(act);
        }
    });
    flow
}

impl<G: SmallGame> Chance for Small<G> {
    fn outcomes(&self, state: &Line, each: &mut impl FnMut(Act, u32)) {
        self.0.outcomes(state.acts(), each);
    }
}

impl<G: SmallGame> Hidden for Small<G> {
    type Now = Knowledge;
    type Event = Sight;

    const OBSERVATION: &'static str = "sights-v1";

    fn now(&self, state: &Line, seat: Seat) -> Knowledge {
        let mut sights = [Sight::open(Act(0)); PLIES_MAX];
        for (ply, act) in state.acts().iter().enumerate() {
            sights[ply] = self.0.sight(&state.acts()[..ply], *act, seat);
        }
        Knowledge { seat, n: state.acts().len() as u8, sights }
    }

    fn event(&self, before: &Line, action: Act, seat: Seat) -> Sight {
        self.0.sight(before.acts(), action, seat)
    }

    fn now_observer(&self, now: &Knowledge) -> Seat {
        now.seat
    }

    fn now_turn(&self, now: &Knowledge) -> Turn {
        self.0.turn(&now.acts()[..usize::from(now.n)])
    }

    fn now_setup(&self, _: &Knowledge) {}

    fn now_actions(&self, now: &Knowledge, sink: &mut impl ActionSink<Act>) -> ControlFlow<()> {
        if self.now_turn(now) != Turn::Seat(now.seat) {
            return ControlFlow::Continue(());
        }
        push_all(sink, |each| self.0.legal(&now.acts()[..usize::from(now.n)], each))
    }

    fn write_now(&self, now: &Knowledge, out: &mut Vec<u8>) {
        out.extend([now.seat.idx() as u8, now.n]);
        for sight in &now.sights[..self.0.plies_max()] {
            self.write_event(sight, out);
        }
    }

    fn now_len(&self) -> usize {
        2 + 2 * self.0.plies_max()
    }

    fn read_now(&self, bytes: &[u8]) -> Result<Knowledge, DecodeError> {
        let wrong = |reason: String| DecodeError { what: "knowledge", reason };
        if bytes.len() != self.now_len() {
            return Err(wrong(format!("{} bytes instead of {}", bytes.len(), self.now_len())));
        }
        let (seat, n) = (bytes[0], bytes[1]);
        if usize::from(seat) >= self.n_seats() || usize::from(n) > self.0.plies_max() {
            return Err(wrong(format!("seat {seat} after {n} plies")));
        }
        let mut sights = [Sight::open(Act(0)); PLIES_MAX];
        for (ply, pair) in bytes[2..].chunks_exact(2).enumerate() {
            sights[ply] = Sight { act: Act(pair[0]), signal: pair[1] };
            let is_known = usize::from(pair[0]) < self.0.n_acts() || pair[0] == Act::HIDDEN.0;
            let is_played = ply < usize::from(n);
            if !is_known || (!is_played && sights[ply] != Sight::open(Act(0))) {
                return Err(wrong(format!("{:?} at ply {ply} of {n}", sights[ply])));
            }
        }
        let now = Knowledge { seat: Seat::new(seat), n, sights };
        // A search that gives up has not shown it wrong.
        match LookAlikes::new(self, now.seat, now.sights(), |_| {}, |_| true).find(Line::START) {
            Found::Line(_) | Found::GaveUp => Ok(now),
            Found::None => Err(wrong(format!("no line shows {}", self.draw_now(&now)))),
        }
    }

    fn write_event(&self, event: &Sight, out: &mut Vec<u8>) {
        out.extend([event.act.0, event.signal]);
    }
}

impl<G: SmallGame> Notation for Small<G> {
    fn action_text(&self, action: Act) -> String {
        self.0.act_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<Act, NotationError> {
        let found = (0..self.0.n_acts() as u8).map(Act).find(|act| self.0.act_text(*act) == text);
        found.ok_or_else(|| {
            let words: Vec<String> =
                (0..self.0.n_acts() as u8).map(|act| self.0.act_text(Act(act))).collect();
            let reason = format!("there is {}", words.join(", "));
            NotationError { what: "action", text: text.to_owned(), reason }
        })
    }

    fn setup_text(&self, (): &()) -> String {
        "-".to_owned()
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        if text == "-" {
            return Ok(());
        }
        let reason = format!("{} has one set-up, written -", G::NAME);
        Err(NotationError { what: "set-up", text: text.to_owned(), reason })
    }

    /// The acts so far, in order; `-` before the first.
    fn position_text(&self, state: &Line) -> String {
        let words: Vec<String> = state.acts().iter().map(|act| self.0.act_text(*act)).collect();
        if words.is_empty() { "-".to_owned() } else { words.join(" ") }
    }

    fn parse_position(&self, text: &str) -> Result<Line, NotationError> {
        let mut line = Line::START;
        for word in text.split_whitespace().filter(|word| *word != "-") {
            let act = self.parse_action(word)?;
            if !self.is_possible(&line, act) {
                let reason = format!("{word} cannot follow {}", self.position_text(&line));
                return Err(NotationError { what: "position", text: text.to_owned(), reason });
            }
            line.push(act);
        }
        Ok(line)
    }
}

impl<G: SmallGame> Render for Small<G> {
    fn draw_now(&self, now: &Knowledge) -> String {
        let seen: Vec<String> = now.sights().iter().map(|sight| self.draw_event(sight)).collect();
        format!("{:?} saw: {}", now.seat, seen.join(" "))
    }

    fn draw_state(&self, state: &Line) -> String {
        self.position_text(state)
    }

    fn draw_event(&self, event: &Sight) -> String {
        let act =
            if event.act == Act::HIDDEN { "?".to_owned() } else { self.0.act_text(event.act) };
        if event.signal == 0 { act } else { format!("{act}:{}", self.0.signal_text(event.signal)) }
    }
}

impl<G: SmallGame> ActionSpace for Small<G> {
    fn policy_layout(&self) -> PolicyLayout {
        PolicyLayout { planes: 0, height: 1, width: 1, flat: self.0.n_acts() }
    }

    fn action_index(&self, (): &(), _: Seat, action: Act) -> u16 {
        u16::from(action.0)
    }

    fn action_spec(&self) -> String {
        let words = (0..self.0.n_acts() as u8).map(|act| self.0.act_text(Act(act)) + "\n");
        words.collect()
    }
}

impl<G: SmallGame> Encode for Small<G> {
    fn feature_layout(&self) -> FeatureLayout {
        let globals = 2 * self.0.plies_max() + self.0.n_seats();
        FeatureLayout { planes: 1, height: 1, width: 1, globals }
    }

    fn write_features(&self, now: &Knowledge, out: &mut [f32]) {
        out.fill(0.0);
        out[0] = 1.0;
        let n_acts = self.0.n_acts() as f32;
        for (pair, sight) in out[1..].chunks_exact_mut(2).zip(now.sights()) {
            let is_shown = sight.act != Act::HIDDEN;
            pair[0] = if is_shown { f32::from(sight.act.0 + 1) / n_acts } else { -1.0 };
            pair[1] = f32::from(sight.signal);
        }
        out[1 + 2 * self.0.plies_max() + now.seat.idx()] = 1.0;
    }

    fn cell_mask(&self) -> Vec<bool> {
        vec![true]
    }

    fn feature_spec(&self) -> String {
        let plies = self.0.plies_max();
        format!(
            "plane: 1\nglobals: act + 1 over acts (-1 hidden, 0 none) and signal of {plies} plies; \
             observer, one of {}\n",
            self.0.n_seats()
        )
    }
}

impl<G: SmallGame> Tactical for Small<G> {
    fn appeal(&self, _: &Knowledge, _: Act) -> Appeal {
        Appeal::Plain
    }
}

/// Another line that looks the same, found by playing with continuations tried in a shuffled order.
impl<G: SmallGame> SecondTruth for Small<G> {
    fn second_truth(
        &self,
        start: &Line,
        plies: &[Act],
        seat: Seat,
        stream: &mut Stream,
    ) -> Option<SecondPast<Self>> {
        let mut truth = *start;
        plies.iter().for_each(|act| truth.push(*act));
        let known = self.now(&truth, seat);
        let shuffle = |next: &mut [Act]| stream.shuffle(next);
        let mut others =
            LookAlikes::new(self, seat, known.sights(), shuffle, |line| *line != truth);
        match others.find(*start) {
            Found::Line(line) => {
                let plies = line.acts()[start.acts().len()..].to_vec();
                Some(SecondPast { start: *start, plies })
            }
            Found::None | Found::GaveUp => None,
        }
    }
}

impl<G: SmallGame> Fingerprinted for Small<G> {
    fn fingerprint_text(&self) -> String {
        let features = self.feature_spec();
        format!("{}features\n{features}actions\n{}", self.rules_text(), self.action_spec())
    }

    fn rules_text(&self) -> String {
        format!(
            "rules {} {}\nobservation {}\n",
            self.0.name(),
            self.0.parameters(),
            Self::OBSERVATION
        )
    }
}
