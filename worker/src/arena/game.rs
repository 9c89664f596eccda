//! One game of a match: the referee's truth, a player on each seat, and what was played.

use crate::player::forfeit::Forfeit;
use crate::player::stream::Outcome;
use crate::player::{Player, Sitting};
use game::{
    Belief, DealSecret, Ending, EvalRequest, Evaluation, GameId, PipelineGame, RunSeed, Seat,
    Stream, Turn, Utility,
};
use referee::Truth;
use search::{SamplerFailure, Search, SearchStreams};
use stats::GameResult;

/// What all games of a match derive from.
#[derive(Clone)]
pub struct MatchSeeds {
    /// Deals and chance outcomes.
    pub secret: DealSecret,
    /// Everything a search draws.
    pub search: RunSeed,
}

impl MatchSeeds {
    /// From `--seed`. The deal's secret and the searches' seed are separate digests: neither gives the other.
    pub fn new(seed: u64) -> MatchSeeds {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muster match deals");
        hasher.update(&seed.to_le_bytes());
        let secret = DealSecret(*hasher.finalize().as_bytes());
        MatchSeeds { secret, search: RunSeed(seed) }
    }
}

/// A game that is being played. It never waits for the network: it asks and goes on when the answers are there.
pub struct MatchGame<G: PipelineGame, B: Belief<G>> {
    /// Games 2p and 2p + 1 are pair p: the same deal and chance stream, seats swapped.
    pub number: u64,
    id: GameId,
    search_seed: RunSeed,
    truth: Truth<G>,
    chance: Stream,
    sittings: [Sitting<G, B>; 2],
    /// The seat whose search runs.
    deciding: Option<Seat>,
    lost: Option<(Seat, Forfeit)>,
}

/// What a game needs next.
pub enum Need {
    /// Answers from the network of this player (0 is A) to so many requests.
    Evaluations {
        player_idx: usize,
        n_asked: usize,
    },
    Nothing,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchedGame<G: PipelineGame> {
    pub number: u64,
    pub id: GameId,
    pub setup: G::Setup,
    pub plies: Vec<G::Action>,
    /// A forfeited game is scored as won by the other seat.
    pub ending: Ending,
    /// The seat that lost by a fault of its program before the rules ended the game.
    pub forfeit: Option<(Seat, Forfeit)>,
}

/// Which seat A has in a game of this number.
pub fn seat_of_a(number: u64) -> Seat {
    if number.is_multiple_of(2) { Seat::FIRST } else { Seat::SECOND }
}

impl<G: PipelineGame> MatchedGame<G> {
    /// From A's view.
    pub fn result(&self) -> GameResult {
        let Ending::Scored(utility) = self.ending else { return GameResult::Truncated };
        match utility.of(seat_of_a(self.number)) {
            points if points > 0.0 => GameResult::Win,
            points if points < 0.0 => GameResult::Loss,
            _ => GameResult::Draw,
        }
    }
}

impl<G: PipelineGame, B: Belief<G>> MatchGame<G, B> {
    pub fn deal(
        rules: &G,
        belief: &B,
        players: &[Player; 2],
        seeds: &MatchSeeds,
        number: u64,
    ) -> MatchGame<G, B> {
        let mut chance = seeds.secret.deal_stream(number / 2);
        let setup = rules.deal(&mut chance);
        let on_seat = |seat: Seat| &players[usize::from(seat != seat_of_a(number))];
        MatchGame {
            number,
            id: seeds.secret.game_id(number),
            search_seed: seeds.search,
            truth: Truth::new(rules.clone(), &setup),
            chance,
            sittings: Seat::BOTH.map(|seat| Sitting::new(on_seat(seat), rules, belief)),
            deciding: None,
            lost: None,
        }
    }

    /// Plays on until a network is needed or the game is over. The requests are appended to `out`.
    pub fn advance(&mut self, out: &mut Vec<EvalRequest<G>>) -> Result<Need, SamplerFailure> {
        loop {
            if self.lost.is_some() {
                return Ok(Need::Nothing);
            }
            if let Some(seat) = self.deciding {
                let search = self.search(seat);
                if !search.is_done() {
                    let n_asked = search.gather(out)?;
                    if n_asked == 0 {
                        continue;
                    }
                    let player_idx = usize::from(seat != seat_of_a(self.number));
                    return Ok(Need::Evaluations { player_idx, n_asked });
                }
                let action = search.decision().chosen();
                self.deciding = None;
                self.play(action);
                continue;
            }
            match self.truth.turn() {
                Turn::Over => return Ok(Need::Nothing),
                Turn::Chance => {
                    self.truth.draw(&mut self.chance);
                }
                Turn::Seat(seat) => self.start_deciding(seat)?,
            }
        }
    }

    /// The answers to what the last [`MatchGame::advance`] asked.
    pub fn apply(&mut self, evaluations: &[Evaluation]) {
        let seat = self.deciding.expect("evaluations are asked for by a search that runs");
        self.search(seat).apply(evaluations);
    }

    pub fn finish(self) -> MatchedGame<G> {
        let ending = match &self.lost {
            Some((loser, _)) => Ending::Scored(Utility::won_by(loser.other())),
            None => self.truth.ending().expect("only a game that is over is finished"),
        };
        let outcome = match &self.lost {
            Some((loser, forfeit)) => Outcome::Forfeit(*loser, &forfeit.reason),
            None => Outcome::ByRules(ending),
        };
        for (seat, sitting) in Seat::BOTH.into_iter().zip(self.sittings) {
            sitting.end(self.truth.rules(), self.truth.observation(seat), outcome);
        }
        MatchedGame {
            number: self.number,
            id: self.id,
            setup: self.truth.setup(),
            plies: self.truth.plies().to_vec(),
            ending,
            forfeit: self.lost,
        }
    }

    fn start_deciding(&mut self, seat: Seat) -> Result<(), SamplerFailure> {
        let ply = self.truth.plies().len() as u32;
        let seen = self.truth.observation(seat);
        let at = (self.search_seed, self.id, ply);
        match &mut self.sittings[seat.idx()] {
            Sitting::Search(search) => {
                search.begin(seen, SearchStreams::at(self.search_seed, self.id, ply))?;
                self.deciding = Some(seat);
            }
            sitting => {
                let decided = sitting.at_once(self.truth.rules(), seen, at);
                match decided.expect("only a search does not decide at once") {
                    Ok(action) => self.play(action),
                    Err(forfeit) => self.lost = Some((seat, forfeit)),
                }
            }
        }
        Ok(())
    }

    fn play(&mut self, action: G::Action) {
        self.truth.play(action).expect("players choose among the legal actions");
    }

    fn search(&mut self, seat: Seat) -> &mut impl Search<G> {
        match &mut self.sittings[seat.idx()] {
            Sitting::Search(search) => search.as_mut(),
            _ => unreachable!("only a search is deciding"),
        }
    }
}
