//! Observations that contradict themselves are refused with the first event that cannot have happened, with what was
//! known until then, and never by a panic or by a belief that knows nothing.

use game::{Contradiction, Hidden, ModelFree, Observation, Seat, Stream};
use std::collections::BTreeMap;
use warchest::check::{Histories, MiniGame, MiniSize, Walk};
use warchest::{
    Coin, Coins, Event, ExactUniform, LabelledUniform, Now, Pool, Seen, StructuralUniform, WarChest,
};

/// What is done to a history.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Edit {
    Drop,
    Repeat,
    /// With the next one.
    Swap,
    /// By another event of the same history.
    Replace,
    OtherSeat,
    OtherCoin,
    /// By a pass, a claim or a draw.
    Plain,
}

impl Edit {
    const ALL: [Edit; 7] = [
        Edit::Drop,
        Edit::Repeat,
        Edit::Swap,
        Edit::Replace,
        Edit::OtherSeat,
        Edit::OtherCoin,
        Edit::Plain,
    ];

    /// Edits at `idx`.
    fn apply(self, events: &mut Vec<Event>, idx: usize, coins: &[Coin], stream: &mut Stream) {
        let mut pick = |n: usize| stream.below(n as u32) as usize;
        match self {
            Edit::Drop => drop(events.remove(idx)),
            Edit::Repeat => events.insert(idx, events[idx]),
            Edit::Swap => {
                let next = (idx + 1).min(events.len() - 1);
                events.swap(idx, next);
            }
            Edit::Replace => events[idx] = events[pick(events.len())],
            Edit::OtherSeat => events[idx].seat = events[idx].seat.other(),
            Edit::OtherCoin => {
                events[idx].coin = match pick(coins.len() + 1) {
                    0 => None,
                    n => Some(coins[n - 1]),
                }
            }
            Edit::Plain => {
                events[idx].seen = [Seen::Passed, Seen::ClaimedInitiative, Seen::Drew][pick(3)];
            }
        }
    }
}

fn coins_of(now: &Now) -> Vec<Coin> {
    let units = now.armies.iter().flat_map(|army| *army.units()).map(Coin::of);
    units.chain([Coin::ROYAL]).collect()
}

/// The observation with other events, `now` being what is known at the end.
fn forged(start: Now, events: &[Event], now: Now) -> Observation<WarChest> {
    let mut observation = Observation::begin(start.observer, start);
    events.iter().for_each(|event| observation.extend(*event, now));
    observation
}

/// A real history of a mini game: what one seat saw.
fn real_history(game: &MiniGame, observer: Seat, stream: &mut Stream) -> Vec<Event> {
    let n_plies = 4 + stream.below(30) as usize;
    let mut histories = Histories::begin(observer, game.start);
    let mut events = Vec::new();
    while events.len() < n_plies {
        let mut next = histories.continuations(&game.rules);
        if next.is_empty() {
            break;
        }
        let to = next.swap_remove(stream.below(next.len() as u32) as usize);
        events.push(to.event);
        histories = to.histories;
        histories.merge();
    }
    events
}

/// What enumeration says of a history: what is known at its end, or the first event that cannot have happened.
fn by_enumeration(game: &MiniGame, observer: Seat, events: &[Event]) -> Result<Now, usize> {
    let mut histories = Histories::begin(observer, game.start);
    let mut now = game.rules.now(&game.start, observer);
    for (idx, event) in events.iter().enumerate() {
        let next = histories.continuations(&game.rules);
        let to = next.into_iter().find(|to| to.event == *event).ok_or(idx)?;
        now = to.now;
        histories = to.histories;
        histories.merge();
    }
    Ok(now)
}

/// Every model-free belief's verdict, which is the same.
fn verdict(
    rules: &WarChest,
    observation: &Observation<WarChest>,
) -> Result<usize, Box<Contradiction>> {
    let exact = ExactUniform.infer(rules, observation);
    let labelled = LabelledUniform.infer(rules, observation);
    let structural = StructuralUniform.infer(rules, observation);
    let lens = [
        exact.as_ref().map(|posterior| posterior.support_len()),
        labelled.as_ref().map(|posterior| posterior.support_len()),
        structural.as_ref().map(|posterior| posterior.support_len()),
    ];
    assert!(lens[0] == lens[1] && lens[0] == lens[2], "{lens:?}");
    match exact {
        Ok(posterior) => Ok(posterior.support_len()),
        Err(contradiction) => Err(Box::new(contradiction)),
    }
}

/// On mini games enumeration knows which edited histories can have happened and where the others cannot: beliefs take
/// exactly those, and refuse the others at that very event.
#[test]
fn edited_histories_are_refused_where_they_become_impossible() {
    let n_histories = if cfg!(debug_assertions) { 150 } else { 1_500 };
    let (mut refused, mut taken) = (BTreeMap::new(), BTreeMap::new());
    let mut refused_later = 0;
    for seed in 0..n_histories {
        let mut stream = Stream::from_seed(seed);
        let game = MiniSize::default().draw(&mut stream);
        let observer = Seat::new(stream.below(2) as u8);
        let real = real_history(&game, observer, &mut stream);
        let start = game.rules.now(&game.start, observer);
        for edit in Edit::ALL {
            let mut events = real.clone();
            let idx = stream.below(events.len() as u32) as usize;
            edit.apply(&mut events, idx, &coins_of(&start), &mut stream);
            if events == real {
                continue;
            }
            let what = format!("game {seed}, {edit:?} at {idx}");
            match by_enumeration(&game, observer, &events) {
                Ok(now) => {
                    let found = verdict(&game.rules, &forged(start, &events, now));
                    assert!(found.is_ok_and(|support_len| support_len > 0), "{what}");
                    *taken.entry(edit).or_insert(0) += 1;
                }
                Err(impossible_idx) => {
                    let honest = by_enumeration(&game, observer, &real).unwrap();
                    let found = verdict(&game.rules, &forged(start, &events, honest));
                    let refusal = found.expect_err(&what);
                    assert_eq!(refusal.event_idx, impossible_idx, "{what}: {refusal}");
                    let known = by_enumeration(&game, observer, &events[..impossible_idx]).unwrap();
                    let at = format!("round={} plays={}", known.round, known.coin_plays);
                    assert!(refusal.position.contains(&at), "{what}: {refusal}");
                    refused_later += usize::from(impossible_idx > idx + 1);
                    *refused.entry(edit).or_insert(0) += 1;
                }
            }
        }
    }
    println!("refused {refused:?}, {refused_later} of them later; taken {taken:?}");
    let (n_refused, n_taken) = (refused.values().sum::<u64>(), taken.values().sum::<u64>());
    assert!(n_refused > 3 * n_histories && refused.len() == Edit::ALL.len(), "{refused:?}");
    assert!(10 * n_taken > n_histories && refused_later > 20, "{taken:?}, {refused_later}");
}

/// At full size: no edit makes anything panic, a refusal comes no sooner than the edit, and says what was known.
#[test]
fn edits_of_long_histories_never_panic() {
    let n_games = if cfg!(debug_assertions) { 60 } else { 400 };
    let (mut refused, mut taken, mut same) = (0, 0, 0);
    for seed in 0..n_games {
        let mut walk = Walk::under_any_options(70_000 + seed);
        for _ in 0..20 + walk.stream.below(300) {
            walk.step();
        }
        for seat in Seat::BOTH {
            let honest = &walk.observations[seat.idx()];
            for edit in Edit::ALL {
                let mut events = honest.events().to_vec();
                let idx = walk.stream.below(events.len() as u32) as usize;
                edit.apply(&mut events, idx, &coins_of(honest.start()), &mut walk.stream);
                if events == honest.events() {
                    same += 1;
                    continue;
                }
                match verdict(&walk.rules, &forged(*honest.start(), &events, *honest.now())) {
                    Ok(_) => taken += 1,
                    Err(refusal) => {
                        assert!(refusal.event_idx >= idx, "{edit:?} at {idx}: {refusal}");
                        assert!(refusal.event_idx <= events.len());
                        let text = refusal.to_string();
                        assert!(text.contains("at event") && text.contains(" control="), "{text}");
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{refused} refused, {taken} taken, {same} not changed by their edit");
    assert!(refused > 8 * n_games && taken > n_games / 20, "{refused} refused, {taken} taken");
}

/// Counts that do not fit: of the start, and of what is known at the end.
#[test]
fn changed_counts_are_refused() {
    let mut refused = [0; 4];
    for seed in 0..60 {
        let mut walk = Walk::deal(71_000 + seed);
        for _ in 0..10 + walk.stream.below(200) {
            walk.step();
        }
        let honest = &walk.observations[seed as usize % 2];
        let (start, now) = (*honest.start(), *honest.now());
        let mut more_in_hand = now;
        more_in_hand.opponent.hand_len += 1;
        let mut other_reserve = now;
        other_reserve.opponent.reserve = other_reserve.opponent.reserve + Coins::one(0);
        let mut later = now;
        later.round += 1;
        for (idx, now) in [more_in_hand, other_reserve, later].into_iter().enumerate() {
            let refusal = verdict(&walk.rules, &forged(start, honest.events(), now)).unwrap_err();
            assert_eq!(refusal.event_idx, honest.events().len());
            assert!(refusal.reason.contains("do not lead to what is known now"), "{refusal}");
            refused[idx] += 1;
        }
        let mut too_few = start;
        too_few.opponent.hand_len = 40;
        let refusal = verdict(&walk.rules, &forged(too_few, honest.events(), now)).unwrap_err();
        assert_eq!(refusal.event_idx, 0);
        refused[3] += 1;
    }
    assert_eq!(refused, [60; 4]);
}

/// A history of other rules: of a card that these do not have, and of a Royal Guard's card that moves elsewhere.
#[test]
fn histories_of_other_rules_are_refused() {
    let (mut unknown_cards, mut other_guards) = (0, 0);
    for seed in 0..300 {
        let mut walk = Walk::deal(72_000 + seed);
        while walk.step() {}
        let honest = &walk.observations[0];
        let base = WarChest { pool: Pool::Base, ..walk.rules };
        let v2_cards = honest.start().armies.iter().any(|a| a.units().iter().any(|u| u.is_v2()));
        let found = verdict(&base, honest);
        assert_eq!(found.is_err(), v2_cards);
        unknown_cards += usize::from(found.is_err_and(|refusal| {
            assert_eq!(refusal.event_idx, 0);
            refusal.reason.contains("is not in pool base")
        }));
        let other = match walk.rules.royal_guard {
            warchest::RoyalGuardCard::Revised => warchest::RoyalGuardCard::Printed2018,
            warchest::RoyalGuardCard::Printed2018 => warchest::RoyalGuardCard::Revised,
        };
        let rules = WarChest { royal_guard: other, ..walk.rules };
        if let Err(refusal) = verdict(&rules, honest) {
            assert!(refusal.reason.contains("the rules do not allow it"), "{refusal}");
            assert!(refusal.reason.contains("tactic_royal_guard"), "{refusal}");
            other_guards += 1;
        }
    }
    println!("{unknown_cards} with unknown cards, {other_guards} with another guard's moves");
    assert!(unknown_cards > 50 && other_guards > 5, "{unknown_cards}, {other_guards}");
}

/// The text of a refusal tells only what the observer knew.
#[test]
fn a_refusal_shows_no_hidden_coin() {
    let mut walk = Walk::deal(73_000);
    for _ in 0..40 {
        walk.step();
    }
    let honest = &walk.observations[0];
    let mut now = *honest.now();
    now.round += 1;
    let observation = forged(*honest.start(), honest.events(), now);
    let refusal = ExactUniform.infer(&walk.rules, &observation).unwrap_err();
    let black = refusal.position.split(" black=").nth(1).and_then(|rest| rest.split(' ').next());
    let black = black.expect("black's zones are in the text");
    for part in black.split(';') {
        let (zone, coins) = part.split_once(':').unwrap();
        let is_hidden = ["hand", "discard_down", "drawn"].contains(&zone);
        assert_ne!(zone, "bag");
        assert_eq!(is_hidden, coins.starts_with('?'), "{part}");
    }
    assert!(black.contains("hidden:"), "{black}");
}
