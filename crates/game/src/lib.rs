//! The traits that rules, searches, solvers and networks share.
//!
//! | layer | what it adds | modules |
//! |---|---|---|
//! | L0 | state, actions, whose turn, how a game ends | [`rules`], [`seat`], [`sink`] |
//! | L1 | capabilities a search asks for in its bounds | [`chance`], [`notation`], [`action_space`], [`encode`], [`tactical`], [`render`], [`keyed`], [`symmetric`], [`zero_sum`], [`static_evaluation`], [`search_hints`] |
//! | L2 | hidden information: observation, belief, world; games that hide nothing | [`hidden`], [`observation`], [`belief`], [`open`] |
//! | L3 | a game as it was played, repetition | [`mod@line`] |
//!
//! Who sees what: a `State` is complete. It exists in a referee's truth, in an audit, and (as a [`World`])
//! inside a search that sampled it from a [`Belief`]. Everything else is given an [`Observation`].

pub mod action_space;
pub mod belief;
pub mod bench;
pub mod chance;
pub mod conformance;
pub mod encode;
pub mod evaluate;
pub mod fingerprint;
pub mod hidden;
pub mod keyed;
pub mod line;
pub mod notation;
pub mod observation;
pub mod open;
pub mod perft;
pub mod render;
pub mod rules;
pub mod search_hints;
pub mod seat;
pub mod sink;
pub mod static_evaluation;
pub mod stream;
pub mod symmetric;
pub mod tactical;
pub mod zero_sum;

pub use action_space::{ActionSpace, PolicyLayout};
pub use belief::{Belief, Contradiction, ModelFree, World};
pub use chance::Chance;
pub use encode::{Encode, FeatureLayout};
pub use evaluate::{EvalRequest, Evaluation, Evaluator};
pub use fingerprint::{Fingerprint, Fingerprinted};
pub use hidden::{DecodeError, Hidden, SecondPast, SecondTruth};
pub use keyed::Keyed;
pub use line::{CyclePly, DrawnWhenRepeated, Line, Repetition, RepetitionOff};
pub use notation::{Notation, NotationError};
pub use observation::Observation;
pub use open::{Certain, Open, Seen};
pub use render::Render;
pub use rules::{Ending, IllegalAction, InvalidState, Rules, Turn, Utility};
pub use search_hints::SearchHints;
pub use seat::Seat;
pub use sink::{ActionSink, Any, Count};
pub use static_evaluation::{STATIC_SCORE_MAX, StaticEvaluation};
pub use stream::{DealSecret, GameId, Purpose, RunSeed, Stream};
pub use symmetric::Symmetric;
pub use tactical::{Appeal, Tactical};
pub use zero_sum::TwoPlayerZeroSum;

/// Everything the self-play pipeline needs from a game with hidden information.
pub trait PipelineGame:
    Hidden + ActionSpace + Encode + Tactical + Notation + Render + SecondTruth + Fingerprinted
{
}

impl<G> PipelineGame for G where
    G: Hidden + ActionSpace + Encode + Tactical + Notation + Render + SecondTruth + Fingerprinted
{
}

/// Everything the searches for two opponents and the board-game tools need from a game.
pub trait BoardGame: Chance + Notation + Keyed + StaticEvaluation + SearchHints {}

impl<G> BoardGame for G where G: Chance + Notation + Keyed + StaticEvaluation + SearchHints {}
