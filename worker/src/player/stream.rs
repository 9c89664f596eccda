//! What one seat of one game is told, as bytes: a function of the game's id and the seat's observation, and of
//! nothing else.

use super::message::{EndResult, PROTOCOL, Told, to_hex};
use game::{Ending, Fingerprint, GameId, Observation, PipelineGame, Seat};

/// The first line of a host.
pub fn hello<G: PipelineGame>(rules: &G, move_seconds: f64) -> String {
    let text = rules.rules_text();
    line(&Told::Hello {
        protocol: PROTOCOL,
        game: G::NAME.to_owned(),
        rules_fingerprint: Fingerprint::of_text(&text).to_string(),
        rules: text,
        fingerprint: rules.fingerprint().to_string(),
        move_seconds,
    })
}

/// How far one seat has been told its game.
pub struct SeatStream {
    game: GameId,
    /// Events told so far; `None` before the game was begun.
    n_told: Option<usize>,
}

/// How a game ended, as its seats are told.
#[derive(Clone, Copy)]
pub enum Outcome<'a> {
    ByRules(Ending),
    /// This seat lost before the end, for a reason that it alone is told.
    Forfeit(Seat, &'a str),
}

impl SeatStream {
    pub fn new(game: GameId) -> SeatStream {
        SeatStream { game, n_told: None }
    }

    /// Everything that is new to the seat, and the request to act. `legal` are its legal actions in its own order.
    pub fn act<G: PipelineGame>(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        legal: &[G::Action],
    ) -> String {
        let mut text = self.news(rules, seen);
        text += &line(&Told::Act {
            legal: legal.iter().map(|&action| rules.action_text(action)).collect(),
            now: now_digits(rules, seen.now()),
        });
        text
    }

    /// The rest of the game and its result.
    pub fn end<G: PipelineGame>(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        outcome: Outcome<'_>,
    ) -> String {
        let mut text = self.news(rules, seen);
        let (result, points, forfeit) = match outcome {
            Outcome::ByRules(Ending::Truncated) => (EndResult::Truncated, None, None),
            Outcome::ByRules(Ending::Scored(utility)) => {
                let points = utility.of(seen.seat());
                (EndResult::of(points), Some(points), None)
            }
            Outcome::Forfeit(loser, reason) if loser == seen.seat() => {
                (EndResult::Loss, Some(-1.0), Some(reason.to_owned()))
            }
            Outcome::Forfeit(..) => (EndResult::Win, Some(1.0), None),
        };
        text += &line(&Told::End { result, points, forfeit });
        text
    }

    fn news<G: PipelineGame>(&mut self, rules: &G, seen: &Observation<G>) -> String {
        let mut text = String::new();
        let n_told = self.n_told.unwrap_or_else(|| {
            text += &line(&Told::Start {
                game: self.game.to_string(),
                seat: seen.seat().idx() as u8,
                setup: rules.setup_text(&rules.now_setup(seen.start())),
                now: now_digits(rules, seen.start()),
            });
            0
        });
        for event in &seen.events()[n_told..] {
            text += &line(&Told::Event { event: rules.event_text(event) });
        }
        self.n_told = Some(seen.events().len());
        text
    }
}

impl EndResult {
    fn of(points: f64) -> EndResult {
        match points {
            points if points > 0.0 => EndResult::Win,
            points if points < 0.0 => EndResult::Loss,
            _ => EndResult::Draw,
        }
    }
}

fn now_digits<G: PipelineGame>(rules: &G, now: &G::Now) -> String {
    let mut bytes = Vec::new();
    rules.write_now(now, &mut bytes);
    to_hex(&bytes)
}

/// One message as it goes over the wire.
pub fn line(told: &Told) -> String {
    let mut text = serde_json::to_string(told).expect("a message has only text keys");
    text.push('\n');
    text
}
