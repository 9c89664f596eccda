//! How far a player is from equilibrium that gives actions, not probabilities: a search, a network, a program.
//!
//! | module | what it measures | what it may be called |
//! |---|---|---|
//! | [`mod@bracket`] | small games: best responses to samples of the player, fitted on one half and valued on the other | a lower and an upper estimate of NashConv |
//! | [`mod@local_best_response`] | large games: what a responder wins that looks one action ahead | a lower bound on the best response |
//! | [`mod@head_to_head`] | what players win from each other | winnings, and nothing else |
//!
//! What two players win from each other says nothing of what a third would win: no type here turns winnings into a
//! [`NashConv`](crate::nash_conv::NashConv) or an [`Exploitability`](crate::nash_conv::Exploitability).
//!
//! Who sees what: players, responders and ranges are given observations. Only [`mod@head_to_head`] holds the state of a
//! game that is being played, as the rules need it; a range holds states that it made up itself.

pub mod bracket;
mod estimate;
pub mod head_to_head;
pub mod local_best_response;
pub mod on_tree;
pub mod player;
pub mod range;

pub use bracket::{Asks, Bracket, bracket};
pub use estimate::Estimate;
pub use head_to_head::HeadToHead;
pub use local_best_response::{LocalBestResponse, LocalResponder};
pub use on_tree::{ObservedSets, PolicyPlayer};
pub use player::{ActionModel, Asked, ObservingPlayer, StochasticPlayer, Uniformly};
pub use range::{BeliefRange, HistoryRange, Range, RangeError, RangeWorld};
