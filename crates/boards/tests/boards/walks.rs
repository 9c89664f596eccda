//! Random games, forwards and back.

use game::{Chance, Keyed, Rules, Stream, Turn};

/// Plays a random game to its end, or 400 plies of it, and takes all of it back: the position and its key are what
/// they were. Gives the number of plies.
pub fn there_and_back<R: Chance + Keyed>(rules: &R, stream: &mut Stream) -> usize {
    let start = rules.initial(&rules.deal(stream));
    let mut state = start.clone();
    let mut played = Vec::new();
    while let Turn::Seat(_) = rules.turn(&state)
        && played.len() < 400
    {
        let legal = rules.legal(&state);
        let action = legal[stream.below(legal.len() as u32) as usize];
        let key = rules.key(&state);
        let undo = rules.apply(&mut state, action);
        played.push((action, undo, key));
    }
    let n_plies = played.len();
    while let Some((action, undo, key)) = played.pop() {
        rules.undo(&mut state, action, undo);
        assert_eq!(rules.key(&state), key, "{action:?}");
    }
    assert_eq!(state, start);
    n_plies
}

/// [`there_and_back`] 10,000 times.
pub fn ten_thousand_there_and_back<R: Rules + Chance + Keyed>(rules: &R) {
    let mut stream = Stream::from_seed(10_000);
    let plies: usize = (0..10_000).map(|_| there_and_back(rules, &mut stream)).sum();
    assert!(plies > 10_000, "{plies}");
}
