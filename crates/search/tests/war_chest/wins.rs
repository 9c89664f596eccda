//! Positions whose best action needs the right sign: consecutive decisions of one seat (Berserker, Warrior Priest, an
//! empty opposing hand) and a decision of the other seat inside a turn (Royal Guard). The evaluator knows nothing.

use game::evaluate::UniformEvaluator;
use game::{Notation, Seat, Turn};
use referee::Truth;
use search::{Decision, Pimc, SearchParams, SearchStreams, drive};
use warchest::{StructuralUniform, WarChest};

const ARMIES: &str =
    "armies=archer,berserker,scout,warrior_priest/cavalry,knight,pikeman,royal_guard";

/// Searches a position for the seat to act.
fn decide(position: &str, simulations: u32) -> (Seat, Decision<WarChest>) {
    let rules = WarChest::default();
    let state = rules.parse_position(&format!("{ARMIES} {position}")).unwrap();
    let truth = Truth::from_position(rules, state).unwrap();
    let Turn::Seat(seat) = truth.turn() else { panic!("a seat acts") };
    let params = SearchParams { simulations, worlds: 2, ..SearchParams::BASE };
    let mut search = Pimc::new(rules, StructuralUniform, params);
    let streams = SearchStreams::from_seed(5);
    let seen = truth.observation(seat);
    (seat, drive(&mut search, seen, streams, &mut UniformEvaluator).unwrap())
}

fn assert_wins(position: &str, action: &str) {
    let rules = WarChest::default();
    let (_, decision) = decide(position, 600);
    assert_eq!(rules.action_text(decision.chosen()), action, "{decision:?}");
    for world in &decision.worlds {
        let q = world.q[decision.chosen_idx];
        assert!(q > 0.6, "Q {q} of {action}: {decision:?}");
    }
}

/// White needs one more location. Its Berserker steps onto it and pays a coin to take it in the same turn.
#[test]
fn a_berserker_chain_is_one_seats_doing() {
    assert_wins(
        "board=white:berserker:3,3:2 control=4,0+6,1+5,3+3,4+4,5/0,5+2,6 \
         white=hand:berserker+royal_coin;bag:scout black=hand:knight+royal_coin;bag:cavalry*2",
        "move:3,3:3,2",
    );
}

/// White needs two more. Its Warrior Priest takes one, draws an Archer coin (all its bag holds), and the Archer takes
/// the other: two decisions of white with a draw between them.
#[test]
fn a_warrior_priests_draw_is_played_by_the_same_seat() {
    assert_wins(
        "board=white:warrior_priest:3,2:1+white:archer:1,3:1 control=4,0+6,1+5,3+3,4/0,5+2,6 \
         white=hand:warrior_priest+royal_coin;bag:archer*2 black=hand:knight+royal_coin;bag:cavalry*2",
        "control:3,2",
    );
}

/// Black's hand is empty, so white plays twice running: a step onto the last location and control of it.
#[test]
fn an_empty_opposing_hand_gives_two_turns_running() {
    assert_wins(
        "board=white:scout:3,3:1 control=4,0+6,1+5,3+3,4+4,5/0,5+2,6 \
         white=hand:scout*2;bag:archer*2+royal_coin black=bag:cavalry*2+knight+royal_coin",
        "move:3,3:3,2",
    );
}

/// White has attacked a Royal Guard that stands on the last location black needs, with a coin to take it in black's
/// hand. Black decides what the guard loses, in white's turn: it pays from the supply and wins with the next coin.
#[test]
fn the_guards_owner_decides_for_itself() {
    let position = "board=white:berserker:3,3:1+black:royal_guard:3,2:1 \
         control=4,0+6,1/0,5+2,6+1,3+2,1+4,5 \
         white=bag:scout*2+royal_coin;discard_up:berserker \
         black=hand:royal_guard;bag:royal_coin+cavalry;supply:royal_guard*2 \
         actor=white step=end_of_turn guard=3,2";
    let (seat, decision) = decide(position, 300);
    assert_eq!(seat, Seat::SECOND, "the decision is black's in white's turn");
    assert_wins(position, "royal_guard_lose:supply");
    assert!(decision.root_value > 0.5, "{decision:?}");
}
