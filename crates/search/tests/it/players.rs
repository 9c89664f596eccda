//! Random games under a referee, and the baselines.

use crate::duel::{Act, Coin, Duel, Now, Table};
use game::{Hidden, Observation, Rules, Seat, Stream, Turn};
use referee::Truth;
use search::baseline;

/// Plays one random game and shows, before each ply, the truth's plies so far and what the seat to act has seen.
pub fn play(rules: &Duel, seed: u64, mut each: impl FnMut(&[Act], &Observation<Duel>)) {
    let mut stream = Stream::from_seed(seed);
    let mut truth = Truth::new(rules.clone(), &());
    loop {
        match truth.turn() {
            Turn::Over => return,
            Turn::Chance => {
                truth.draw(&mut stream);
            }
            Turn::Seat(seat) => {
                each(truth.plies(), truth.observation(seat));
                let action = baseline::random(rules, truth.observation(seat), &mut stream);
                truth.play(action).unwrap();
            }
        }
    }
}

/// The same, observations with a choice only.
pub fn at_decisions(rules: &Duel, seed: u64, mut each: impl FnMut(&Observation<Duel>)) {
    play(rules, seed, |_, seen| {
        let mut legal = Vec::new();
        let _ = rules.now_actions(seen.now(), &mut legal);
        if legal.len() > 1 {
            each(seen);
        }
    });
}

/// Two games that differ only in hidden coins and look the same to one seat: the plies with the other seat's coin
/// exchanged, replayed through the rules and kept if every event is reproduced.
pub fn second_truth(rules: &Duel, plies: &[Act], seen: &Observation<Duel>) -> Option<Vec<Act>> {
    let mut other = plies.to_vec();
    let draw = other.get_mut(seen.seat().other().idx())?;
    *draw = match *draw {
        Act::Draw(Coin::Silver) => Act::Draw(Coin::Gold),
        _ => Act::Draw(Coin::Silver),
    };
    let mut truth = Truth::new(rules.clone(), &());
    for &ply in &other {
        truth.play(ply).ok()?;
    }
    (truth.observation(seen.seat()) == seen).then_some(other)
}

fn own_turn(coin: Coin) -> Observation<Duel> {
    let rules = Duel { n_turns: 2 };
    let table = Table { n_drawn: 2, ..rules.initial(&()).table };
    Observation::begin(Seat::FIRST, Now { table, seat: Seat::FIRST, coin: Some(coin) })
}

#[test]
fn greedy_takes_control_then_attacks_then_advances() {
    let rules = Duel { n_turns: 2 };
    let greedy = |seen: &Observation<Duel>| {
        (0..30)
            .map(|seed| baseline::greedy(&rules, seen, &mut Stream::from_seed(seed)))
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(greedy(&own_turn(Coin::Gold)), [Act::Flash].into());
    let mut seen = own_turn(Coin::Silver);
    assert_eq!(greedy(&seen), [Act::Strike].into());
    let mut now = seen.now().clone();
    now.table.may_strike = false;
    seen = Observation::begin(Seat::FIRST, now.clone());
    assert_eq!(greedy(&seen), [Act::Push].into());
    // Among equals it draws lots.
    now.table.is_struck = true;
    now.table.active = Seat::SECOND;
    seen = Observation::begin(Seat::FIRST, now);
    assert_eq!(greedy(&seen), [Act::Block, Act::Yield].into());
}

#[test]
fn random_takes_every_legal_action_equally_often() {
    let rules = Duel { n_turns: 2 };
    let seen = own_turn(Coin::Gold);
    let mut stream = Stream::from_seed(8);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..4000 {
        *counts.entry(baseline::random(&rules, &seen, &mut stream)).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 4);
    // Binomial(4000, 1/4): sigma 27. Five sigma.
    assert!(counts.values().all(|n| n.abs_diff(1000) < 137), "{counts:?}");
}
