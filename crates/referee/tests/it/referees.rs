//! A truth plays legal actions and recorded chance, refuses everything else without a trace, and shows each seat
//! its own part only.

use crate::high_card::{Action, Event, HighCard, State};
use game::{Ending, Hidden, Rules, Seat, Stream, Turn};
use referee::Truth;

fn dealt(first: u8, second: u8) -> Truth<HighCard> {
    let mut truth = Truth::new(HighCard, &());
    truth.play(Action::Deal(first)).unwrap();
    truth.play(Action::Deal(second)).unwrap();
    truth
}

#[test]
fn a_game_runs_from_deal_to_end() {
    let mut truth = dealt(2, 0);
    assert_eq!(truth.turn(), Turn::Seat(Seat::FIRST));
    assert_eq!(truth.legal(), [Action::Show, Action::Fold]);
    truth.play(Action::Show).unwrap();
    assert_eq!((truth.turn(), truth.ending()), (Turn::Seat(Seat::SECOND), None));
    truth.play(Action::Show).unwrap();
    let Some(Ending::Scored(utility)) = truth.ending() else { panic!("the game has ended") };
    assert_eq!((utility.of(Seat::FIRST), utility.of(Seat::SECOND)), (1.0, -1.0));
    assert_eq!(truth.legal(), []);
    assert_eq!(truth.plies(), [Action::Deal(2), Action::Deal(0), Action::Show, Action::Show]);
}

#[test]
fn refuses_what_the_rules_do_not_allow_and_stays_as_it_was() {
    let mut truth = Truth::new(HighCard, &());
    truth.play(Action::Deal(1)).unwrap();
    let seen = truth.observation(Seat::FIRST).clone();
    for action in [Action::Deal(1), Action::Deal(9), Action::Show] {
        let error = truth.play(action).unwrap_err();
        assert!(error.to_string().contains("chance cannot produce it here"), "{error}");
    }
    assert_eq!(truth.observation(Seat::FIRST), &seen);
    assert_eq!(truth.plies(), [Action::Deal(1)]);
}

#[test]
fn refuses_an_impossible_position() {
    let state = State { cards: [Some(1), Some(1)], choices: Vec::new() };
    let Err(error) = Truth::from_position(HighCard, state) else { panic!("both hold card 1") };
    assert!(error.to_string().contains("both seats hold card 1"), "{error}");
}

/// The observation equals the one folded by hand from a shadow state, after every ply, for both seats.
#[test]
fn observations_follow_the_game() {
    let mut n_plies = 0;
    for seed in 0..200 {
        let mut stream = Stream::from_seed(seed);
        let mut truth = Truth::new(HighCard, &());
        let mut shadow = HighCard.initial(&());
        let mut seen = Seat::BOTH.map(|seat| truth.observation(seat).clone());
        while truth.turn() != Turn::Over {
            let action = match truth.turn() {
                Turn::Chance => truth.draw(&mut stream),
                _ => {
                    let legal = truth.legal();
                    let action = legal[stream.below(legal.len() as u32) as usize];
                    truth.play(action).unwrap();
                    action
                }
            };
            let before = shadow.clone();
            HighCard.play(&mut shadow, action).unwrap();
            for seat in Seat::BOTH {
                let event = HighCard.event(&before, action, seat);
                seen[seat.idx()].extend(event, HighCard.now(&shadow, seat));
                assert_eq!(truth.observation(seat), &seen[seat.idx()]);
            }
            n_plies += 1;
        }
    }
    assert!(n_plies > 600, "too few plies to mean anything: {n_plies}");
}

#[test]
fn a_seat_cannot_tell_apart_what_the_other_was_dealt() {
    let (low, high) = (dealt(1, 0), dealt(1, 2));
    assert_eq!(low.observation(Seat::FIRST), high.observation(Seat::FIRST));
    assert_eq!(
        low.observation(Seat::FIRST).bytes(&HighCard),
        high.observation(Seat::FIRST).bytes(&HighCard)
    );
    assert_eq!(low.observation(Seat::FIRST).events(), [Event::DealtMe(1), Event::DealtOther]);
    assert_ne!(low.observation(Seat::SECOND), high.observation(Seat::SECOND));
}

#[test]
fn the_same_stream_deals_the_same_game() {
    let deal = |seed| {
        let mut stream = Stream::from_seed(seed);
        let mut truth = Truth::new(HighCard, &());
        [truth.draw(&mut stream), truth.draw(&mut stream)]
    };
    assert_eq!(deal(5), deal(5));
    let distinct: std::collections::BTreeSet<_> = (0..200).map(deal).collect();
    assert_eq!(distinct.len(), 6, "three cards to two seats");
}
