//! One self-play game: the referee's truth, a search for each seat, and the record of every ply.

use game::{
    Belief, DealSecret, Ending, EvalRequest, Evaluation, GameId, PipelineGame, RunSeed, Seat,
    Stream, Turn,
};
use referee::Truth;
use search::{Decision, Pimc, SamplerFailure, Search, SearchParams, SearchStreams};

/// Everything about a finished game: the source of its training rows and of its audit rows.
pub struct PlayedGame<G: PipelineGame> {
    pub id: GameId,
    pub setup: G::Setup,
    pub plies: Vec<PlayedPly<G>>,
    pub ending: Ending,
}

/// One ply, chance outcomes included.
pub struct PlayedPly<G: PipelineGame> {
    /// `None` for a chance outcome.
    pub seat: Option<Seat>,
    pub action: G::Action,
    /// Present where a search decided.
    pub searched: Option<Searched<G>>,
}

/// A searched decision and what the seat knew when it decided.
pub struct Searched<G: PipelineGame> {
    pub now: G::Now,
    pub decision: Decision<G>,
}

/// A game that is being played. It never waits: it asks for evaluations and goes on when they are there.
pub struct SelfPlayGame<G: PipelineGame, B: Belief<G>> {
    /// The game's number in its run.
    pub number: u64,
    id: GameId,
    run_seed: RunSeed,
    truth: Truth<G>,
    setup: G::Setup,
    deal: Stream,
    /// By seat.
    searches: [Pimc<G, B>; 2],
    /// The seat whose search runs.
    deciding: Option<Seat>,
    plies: Vec<PlayedPly<G>>,
}

/// What a game needs next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// This many evaluations were asked for.
    Evaluations(usize),
    /// Nothing: the game is over.
    Nothing,
}

impl<G: PipelineGame, B: Belief<G>> SelfPlayGame<G, B> {
    pub fn deal(
        rules: &G,
        belief: &B,
        params: SearchParams,
        run_seed: RunSeed,
        secret: &DealSecret,
        number: u64,
    ) -> SelfPlayGame<G, B> {
        let mut deal = secret.deal_stream(number);
        let setup = rules.deal(&mut deal);
        SelfPlayGame {
            number,
            id: secret.game_id(number),
            run_seed,
            truth: Truth::new(rules.clone(), &setup),
            setup,
            deal,
            searches: [(); 2].map(|()| Pimc::new(rules.clone(), belief.clone(), params)),
            deciding: None,
            plies: Vec::new(),
        }
    }

    /// Plays on until the network is needed or the game is over. The requests are appended to `out`.
    pub fn advance(&mut self, out: &mut Vec<EvalRequest<G>>) -> Result<Need, SamplerFailure> {
        loop {
            if let Some(seat) = self.deciding {
                let search = &mut self.searches[seat.idx()];
                if !search.is_done() {
                    let n_asked = search.gather(out)?;
                    if n_asked > 0 {
                        return Ok(Need::Evaluations(n_asked));
                    }
                    continue;
                }
                self.deciding = None;
                let decision = self.searches[seat.idx()].decision();
                self.take(seat, decision);
                continue;
            }
            match self.truth.turn() {
                Turn::Over => return Ok(Need::Nothing),
                Turn::Chance => {
                    let action = self.truth.draw(&mut self.deal);
                    self.plies.push(PlayedPly { seat: None, action, searched: None });
                }
                Turn::Seat(seat) => {
                    let streams =
                        SearchStreams::at(self.run_seed, self.id, self.plies.len() as u32);
                    self.searches[seat.idx()].begin(self.truth.observation(seat), streams)?;
                    self.deciding = Some(seat);
                }
            }
        }
    }

    /// The answers to what the last [`SelfPlayGame::advance`] asked.
    pub fn apply(&mut self, evaluations: &[Evaluation]) {
        let seat = self.deciding.expect("evaluations are asked for by a search that runs");
        self.searches[seat.idx()].apply(evaluations);
    }

    /// Plies so far: what a lease is renewed by.
    pub fn n_plies(&self) -> usize {
        self.plies.len()
    }

    /// The record of a game that is over.
    pub fn finish(self) -> PlayedGame<G> {
        let ending = self.truth.ending().expect("only a game that is over is finished");
        PlayedGame { id: self.id, setup: self.setup, plies: self.plies, ending }
    }

    fn take(&mut self, seat: Seat, decision: Decision<G>) {
        let action = decision.chosen();
        let searched = decision
            .is_searched()
            .then(|| Searched { now: self.truth.observation(seat).now().clone(), decision });
        self.truth.play(action).expect("a search chooses among the legal actions");
        self.plies.push(PlayedPly { seat: Some(seat), action, searched });
    }
}
