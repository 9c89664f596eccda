//! Rules with one planted fault, and whether counts or a second implementation tell.

use crate::counts::Counted;
use crate::second::{Second, compare};
use game::perft::perft;
use game::{
    ActionSink, Chance, Ending, InvalidState, Notation, NotationError, Rules, Stream, Turn,
};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Listing<R> = fn(&R, &<R as Rules>::State) -> Vec<<R as Rules>::Action>;
type Applying<R> = fn(&R, &mut <R as Rules>::State, <R as Rules>::Action);
type Undoing<R> = fn(&R, &mut <R as Rules>::State, <R as Rules>::Action, &<R as Rules>::State);
type Finishing<R> = fn(&R, &<R as Rules>::State) -> Option<Ending>;

/// Sound rules, some part of which is replaced.
#[derive(Clone)]
pub struct Mutant<R: Rules> {
    name: &'static str,
    rules: R,
    list: Listing<R>,
    apply: Applying<R>,
    undo: Undoing<R>,
    ending: Finishing<R>,
}

impl<R: Rules> Mutant<R> {
    pub fn new(name: &'static str, rules: R) -> Mutant<R> {
        Mutant {
            name,
            rules,
            list: |rules, state| rules.legal(state),
            apply: |rules, state, action| {
                rules.apply(state, action);
            },
            undo: |_, state, _, before| *state = before.clone(),
            ending: |rules, state| rules.ending(state),
        }
    }

    pub fn listing(self, list: Listing<R>) -> Mutant<R> {
        Mutant { list, ..self }
    }

    pub fn applying(self, apply: Applying<R>) -> Mutant<R> {
        Mutant { apply, ..self }
    }

    /// The last argument is the position to which undo should lead.
    pub fn undoing(self, undo: Undoing<R>) -> Mutant<R> {
        Mutant { undo, ..self }
    }

    pub fn ending(self, ending: Finishing<R>) -> Mutant<R> {
        Mutant { ending, ..self }
    }
}

impl<R: Rules> Rules for Mutant<R> {
    type Setup = R::Setup;
    type State = R::State;
    type Action = R::Action;
    type Undo = R::State;

    const NAME: &'static str = R::NAME;

    fn deal(&self, stream: &mut Stream) -> R::Setup {
        self.rules.deal(stream)
    }

    fn initial(&self, setup: &R::Setup) -> R::State {
        self.rules.initial(setup)
    }

    fn turn(&self, state: &R::State) -> Turn {
        self.rules.turn(state)
    }

    fn actions(&self, state: &R::State, sink: &mut impl ActionSink<R::Action>) -> ControlFlow<()> {
        (self.list)(&self.rules, state).into_iter().try_for_each(|action| sink.push(action))
    }

    fn apply(&self, state: &mut R::State, action: R::Action) -> R::State {
        let before = state.clone();
        (self.apply)(&self.rules, state, action);
        before
    }

    fn undo(&self, state: &mut R::State, action: R::Action, before: R::State) {
        (self.undo)(&self.rules, state, action, &before);
    }

    fn ending(&self, state: &R::State) -> Option<Ending> {
        (self.ending)(&self.rules, state)
    }

    fn validate(&self, state: &R::State) -> Result<(), InvalidState> {
        self.rules.validate(state)
    }

    fn is_possible(&self, state: &R::State, action: R::Action) -> bool {
        self.is_legal(state, action)
    }
}

impl<R: Rules> Chance for Mutant<R> {
    fn outcomes(&self, _: &R::State, _: &mut impl FnMut(R::Action, u32)) {}
}

impl<R: Notation> Notation for Mutant<R> {
    fn action_text(&self, action: R::Action) -> String {
        self.rules.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<R::Action, NotationError> {
        self.rules.parse_action(text)
    }

    fn setup_text(&self, setup: &R::Setup) -> String {
        self.rules.setup_text(setup)
    }

    fn parse_setup(&self, text: &str) -> Result<R::Setup, NotationError> {
        self.rules.parse_setup(text)
    }

    fn position_text(&self, state: &R::State) -> String {
        self.rules.position_text(state)
    }

    fn parse_position(&self, text: &str) -> Result<R::State, NotationError> {
        self.rules.parse_position(text)
    }
}

/// Whether some count of at most `leaves_max` differs, or a walk does not come back to where it began.
fn is_seen_by_counts<R: Notation>(
    mutant: &Mutant<R>,
    counted: &[Counted],
    leaves_max: u64,
) -> bool {
    counted.iter().any(|Counted { position, counts, .. }| {
        let mut state = mutant.parse_position(position).expect(position);
        let before = state.clone();
        let depths = (1..).zip(counts).take_while(|(_, leaves)| **leaves <= leaves_max);
        depths.into_iter().any(|(depth, &expected)| {
            perft(mutant, &mut state, depth) != expected || state != before
        })
    })
}

/// Plants every fault and asks for it: first the counts, then the second implementation. An assertion of the rules
/// that fails on the way tells as well. Prints how many were seen, and fails if one was not, or if the rules without
/// a fault are suspected.
pub fn check_all_seen<R: Notation>(
    mutants: &[Mutant<R>],
    counted: &[Counted],
    leaves_max: u64,
    second: Option<(Second, u64)>,
) {
    let is_seen = |mutant: &Mutant<R>| {
        let look = || {
            is_seen_by_counts(mutant, counted, leaves_max)
                || second
                    .is_some_and(|(second, n_games)| compare(mutant, second, n_games, 11).is_err())
        };
        catch_unwind(AssertUnwindSafe(look)).unwrap_or(true)
    };
    let sound = Mutant::new("none", mutants[0].rules.clone());
    assert!(!is_seen(&sound), "{}: sound rules are suspected", R::NAME);
    let missed: Vec<_> = mutants.iter().filter(|mutant| !is_seen(mutant)).collect();
    let (n_planted, n_seen) = (mutants.len(), mutants.len() - missed.len());
    println!("{}: {n_seen} of {n_planted} planted faults seen", R::NAME);
    let missed: Vec<_> = missed.into_iter().map(|mutant| mutant.name).collect();
    assert!(missed.is_empty(), "{}: not seen: {missed:?}", R::NAME);
}
