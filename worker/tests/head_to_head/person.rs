//! A person's game: the person sees what its seat may know, can only play legal actions, and may leave.

use game::Seat;
use run::Exit;
use std::io::Cursor;
use warchest::{StructuralUniform, WarChest};
use worker::play::Table;
use worker::player::{Mind, Player};

fn play(person: Seat, input: &str) -> String {
    let table = Table {
        rules: WarChest::default(),
        belief: StructuralUniform,
        opponent: Player { name: "greedy".to_owned(), mind: Mind::Greedy },
        evaluator: None,
        person,
        seed: 5,
    };
    let mut out = Vec::new();
    assert_eq!(table.play(Cursor::new(input), &mut out).unwrap(), Exit::Done);
    String::from_utf8(out).unwrap()
}

#[test]
fn a_person_that_always_takes_the_first_action_plays_to_the_end() {
    for seat in Seat::BOTH {
        let shown = play(seat, &"1\n".repeat(400));
        let last = shown.lines().last().unwrap();
        assert!(last == "you lost" || last == "you won" || last.contains("truncated"), "{last}");
    }
}

#[test]
fn the_other_seats_coins_are_not_shown() {
    let shown = play(Seat::FIRST, "1\n1\nq\n");
    assert!(shown.contains("black draw:?"), "{shown}");
    let of_black = shown.lines().filter(|line| line.trim_start().starts_with("black draw:"));
    assert!(of_black.into_iter().all(|line| line.ends_with(":?")), "{shown}");
    assert!(shown.contains("white draw:") && !shown.contains("white draw:?"), "{shown}");
}

#[test]
fn nonsense_is_answered_and_asked_again() {
    let shown = play(Seat::FIRST, "0\n999\nfly\nmove:3,3:3,2\n?\n\nquit\n");
    assert!(shown.contains("999 is not a number of 1.."), "{shown}");
    assert!(shown.contains("\"fly\" does not read"), "{shown}");
    assert!(shown.contains("move:3,3:3,2 is not legal here"), "{shown}");
    assert!(shown.trim_end().lines().last().unwrap().contains("left after"), "{shown}");
    // The end of the input leaves too.
    assert!(play(Seat::SECOND, "").contains("left after"));
}
