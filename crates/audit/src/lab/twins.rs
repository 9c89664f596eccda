//! Two games that one seat cannot tell apart, up to some ply.
//!
//! A game is played; at some decisions of it a second truth is asked for, by the route that permutes hidden coins
//! and replays the public history. What a seat cannot tell apart at one ply it could not tell apart before, so one
//! second truth serves all decisions of its seat since the last one.

use game::{PipelineGame, Rules, Seat, Stream, Turn};

/// A game's rules, start and plies, chance included.
pub type Game<G> = (G, <G as Rules>::State, Vec<<G as Rules>::Action>);

/// The games of a lab, so that every kind of decision comes up.
pub struct Style<G: Rules> {
    /// Game number n.
    pub play: fn(u64) -> Game<G>,
    /// One in how many decisions of this kind is the last of a twin: the rarer the kind, the more.
    pub one_in: fn(&G::State) -> u32,
    /// At most so many decisions before it are compared with it.
    pub window: usize,
}

/// Two games with one observation for `seat` at every ply.
pub struct Twin<G: Rules> {
    pub rules: G,
    pub seat: Seat,
    /// Tells twins apart: the game's number and which of its twins this is.
    pub number: u64,
    pub starts: [G::State; 2],
    /// Chance outcomes included; equally many.
    pub plies: [Vec<G::Action>; 2],
    /// Decisions before this ply belong to an earlier twin of the game.
    pub from: usize,
}

/// Most twins of one game.
const TWINS_MAX: u64 = 1 << 12;

impl<G: PipelineGame> Twin<G> {
    /// All twins of game number `number`. The same number gives the same ones.
    pub fn of_game(style: &Style<G>, number: u64) -> Vec<Twin<G>> {
        let (rules, start, plies) = (style.play)(number);
        let mut stream = Stream::from_seed(number);
        let mut state = start.clone();
        // By seat: its decisions so far, and the ply after the last one that a twin has.
        let mut decided: Vec<Vec<usize>> = vec![Vec::new(); rules.n_seats()];
        let mut done = vec![0; rules.n_seats()];
        let mut twins = Vec::new();
        for (ply, &action) in plies.iter().enumerate() {
            if let Turn::Seat(seat) = rules.turn(&state)
                && rules.legal(&state).len() > 1
            {
                let before = &mut decided[seat.idx()];
                before.push(ply);
                let earliest = before[before.len().saturating_sub(style.window)];
                let is_chosen = stream.below((style.one_in)(&state)) == 0;
                let past = match is_chosen {
                    true => rules.second_truth(&start, &plies[..ply], seat, &mut stream),
                    false => None,
                };
                if let Some(past) = past {
                    let from = earliest.max(done[seat.idx()]);
                    done[seat.idx()] = ply + 1;
                    twins.push(Twin {
                        rules: rules.clone(),
                        seat,
                        number: number * TWINS_MAX + twins.len() as u64,
                        starts: [start.clone(), past.start],
                        plies: [plies[..ply].to_vec(), past.plies],
                        from,
                    });
                }
            }
            rules.apply(&mut state, action);
        }
        twins
    }
}
