//! One example for each sentence of the rules and cards that the referee's games and the published positions do not
//! pin down: the re-issued cards, the Royal Guard of 2018, Warrior Priest against Royal Guard, both versions of a
//! card in one army, refills, the end of a game, initiative.

use crate::support::Builder;
use game::{Ending, Notation, Rules, Seat, Turn};
use std::collections::BTreeSet;
use warchest::{Decision, RoyalGuardCard, State, Step, WarChest};

fn rules() -> WarChest {
    WarChest::ranked().without_cap()
}

/// The legal actions whose text begins so, in order.
fn legal(rules: &WarChest, state: &State, prefix: &str) -> Vec<String> {
    let texts: BTreeSet<String> =
        rules.legal(state).into_iter().map(|action| action.to_string()).collect();
    texts.into_iter().filter(|text| text.starts_with(prefix)).collect()
}

fn play(rules: &WarChest, state: &State, actions: &str) -> State {
    let mut state = *state;
    for text in actions.split_ascii_whitespace() {
        let action = rules.parse_action(text).unwrap();
        if let Err(error) = rules.play(&mut state, action) {
            panic!("{text}: {error}; legal {:?}", legal(rules, &state, ""));
        }
        rules.validate(&state).unwrap();
    }
    state
}

/// White to move with `hand` and the royal coin, black with its royal coin.
fn position(white: &str, black: &str, hand: &str, more: impl FnOnce(&mut Builder)) -> State {
    let mut builder = Builder::for_types(&[white, hand], &[black]);
    builder.units("white", white).units("black", black);
    builder.zone("white", "hand", hand).zone("white", "hand", "royal_coin");
    builder.zone("black", "hand", "royal_coin");
    more(&mut builder);
    builder.build(&rules())
}

#[test]
fn berserker_v2_chains_after_move_or_attack_and_never_controls() {
    let rules = rules();
    let state = position("berserker_v2(-1,1)x3", "scout(0,1)", "berserker_v2", |_| {});
    let controlled = play(&rules, &state, "control:3,4");
    assert_eq!(controlled.decision(), Some(Decision::Main), "control starts no chain");
    let attacked = play(&rules, &state, "attack:3,4:2,4");
    assert_eq!(attacked.decision(), Some(Decision::Berserker));
    assert!(legal(&rules, &attacked, "berserker_control").is_empty(), "it stands on a location");
    assert!(!legal(&rules, &attacked, "berserker_move").is_empty());
    let twice = play(&rules, &attacked, "berserker_move:3,4:4,4 berserker_move:4,4:3,4");
    assert_eq!(twice.decision(), Some(Decision::Main), "the last coin cannot pay");
    assert_eq!(twice.stack(warchest::Hex::from_site(3, 4).unwrap()).height(), 1);
}

#[test]
fn berserker_of_the_base_box_does_chain_with_control() {
    let rules = rules();
    let state = position("berserker(-1,1)x3", "scout(0,1)", "berserker", |_| {});
    let controlled = play(&rules, &state, "control:3,4");
    assert_eq!(controlled.decision(), Some(Decision::Berserker));
    let attacked = play(&rules, &state, "attack:3,4:2,4");
    assert_eq!(legal(&rules, &attacked, "berserker_control"), ["berserker_control:3,4"]);
}

#[test]
fn warrior_priest_v2_draws_once_a_turn() {
    let rules = rules();
    let state = position("warrior_priest_v2(-1,1)x2", "scout(0,1)x3", "warrior_priest_v2", |b| {
        b.zone("white", "bag", "warrior_priest_v2");
    });
    let drawn = play(&rules, &state, "attack:3,4:2,4 draw:warrior_priest_v2");
    assert_eq!(drawn.decision(), Some(Decision::WarriorPriestPlay));
    assert!(drawn.priest_v2_drew());
    let again = play(&rules, &drawn, "attack:3,4:2,4");
    assert_eq!(again.decision(), Some(Decision::Main), "no second draw in this turn");
    assert_eq!(again.decider(), Seat::SECOND);
    assert!(!again.priest_v2_drew(), "the next turn counts anew");
}

#[test]
fn warrior_priest_draws_as_often_as_it_triggers_beside_a_v2() {
    let rules = rules();
    let white = "warrior_priest(-1,1)x2 warrior_priest_v2(1,0)";
    let state = position(white, "scout(0,1)x4", "warrior_priest", |b| {
        b.zone("white", "bag", "warrior_priest warrior_priest_v2");
    });
    let v2_drawn = play(&rules, &state, "attack:3,4:2,4 draw:warrior_priest_v2");
    let v2_hit = play(&rules, &v2_drawn, "attack:2,3:2,4");
    assert_eq!(v2_hit.decision(), Some(Decision::WarriorPriestDraw), "its own first draw");
    let v1_again = play(&rules, &v2_hit, "draw:warrior_priest attack:3,4:2,4");
    assert_eq!(v1_again.decision(), Some(Decision::WarriorPriestDraw), "the other is not counted");
    assert_eq!(v1_again.actor(), Seat::FIRST);
}

#[test]
fn priest_draws_before_the_guard_chooses_and_plays_after() {
    let rules = rules();
    let state = position("warrior_priest(0,0)", "royal_guard(1,0)x2", "warrior_priest", |b| {
        b.zone("white", "bag", "warrior_priest").zone("black", "supply", "royal_guard");
    });
    let hit = play(&rules, &state, "attack:3,3:2,3");
    assert_eq!((hit.decision(), hit.decider()), (Some(Decision::WarriorPriestDraw), Seat::FIRST));
    let drawn = play(&rules, &hit, "draw:warrior_priest");
    assert_eq!((drawn.decision(), drawn.decider()), (Some(Decision::RoyalGuard), Seat::SECOND));
    assert_eq!(rules.turn(&drawn), Turn::Seat(Seat::SECOND));
    assert_eq!(legal(&rules, &drawn, ""), ["royal_guard_lose:stack", "royal_guard_lose:supply"]);
    let soaked = play(&rules, &drawn, "royal_guard_lose:supply");
    assert_eq!(soaked.decision(), Some(Decision::WarriorPriestPlay));
    assert_eq!(soaked.stack(warchest::Hex::from_site(2, 3).unwrap()).height(), 2);
    let hit_again = play(&rules, &soaked, "attack:3,3:2,3");
    assert_eq!(hit_again.decision(), Some(Decision::WarriorPriestDraw), "the supply is empty now");
    assert_eq!(hit_again.stack(warchest::Hex::from_site(2, 3).unwrap()).height(), 1);
}

#[test]
fn guard_without_supply_has_no_choice() {
    let rules = rules();
    let state = position("archer(0,0)", "royal_guard(2,0)", "archer", |_| {});
    let hit = play(&rules, &state, "tactic_archer:3,3:1,3");
    assert_eq!(hit.decision(), Some(Decision::Main));
    assert!(hit.occupied_by(Seat::SECOND).is_empty());
}

#[test]
fn footman_v2_deploys_the_recruited_coin() {
    let rules = rules();
    let state = position("footman_v2(0,0)", "scout(3,0)", "archer", |b| {
        b.zone("white", "supply", "footman_v2 archer");
    });
    let other = play(&rules, &state, "recruit:archer:archer");
    assert_eq!(other.decision(), Some(Decision::Main), "only a Footman coin triggers it");
    let recruited = play(&rules, &state, "recruit:footman_v2:archer");
    let offered = ["footman_v2_decline", "footman_v2_deploy:4,0", "footman_v2_deploy:6,1"];
    assert_eq!(legal(&rules, &recruited, ""), offered);
    let deployed = play(&rules, &recruited, "footman_v2_deploy:6,1");
    assert_eq!(deployed.occupied_by(Seat::FIRST).len(), 2);
    assert!(deployed.zones(Seat::FIRST).discard_up.is_empty(), "the coin left the discard");
    let declined = play(&rules, &recruited, "footman_v2_decline");
    assert_eq!(declined.zones(Seat::FIRST).discard_up.total(), 1);
}

#[test]
fn footman_v2_recruit_with_two_deployed_can_only_be_declined() {
    let rules = rules();
    let white = "footman_v2(0,0) footman_v2(1,0)";
    let state = position(white, "scout(3,0)", "archer", |b| {
        b.zone("white", "supply", "footman_v2");
    });
    let recruited = play(&rules, &state, "recruit:footman_v2:archer");
    assert_eq!(legal(&rules, &recruited, ""), ["footman_v2_decline"]);
    let none = position("footman(0,0)", "scout(3,0)", "footman_v2", |b| {
        b.zone("white", "supply", "footman_v2");
    });
    let recruited = play(&rules, &none, "recruit:footman_v2:footman_v2");
    assert_eq!(recruited.decision(), Some(Decision::Main), "no V2 stands on the board");
}

#[test]
fn a_footman_coin_maneuvers_all_footmen_of_both_versions() {
    let rules = rules();
    let white = "footman(0,0) footman_v2(2,0)";
    let state = position(white, "scout(3,0)", "footman", |_| {});
    let played = play(&rules, &state, "tactic_footman:footman");
    assert!(!legal(&rules, &played, "footman_move:3,3").is_empty());
    assert!(!legal(&rules, &played, "footman_attack:1,3").is_empty());
    let second = play(&rules, &played, "footman_attack:1,3:0,3");
    assert!(legal(&rules, &second, "footman_move:1,3").is_empty(), "neither acts twice");
    assert_eq!(legal(&rules, &second, "footman_move:3,3").len(), 6);

    let alone = position("footman_v2(2,0)", "scout(3,0)", "footman", |_| {});
    assert!(legal(&rules, &alone, "tactic_footman").is_empty(), "its own version must stand");
}

#[test]
fn footman_tactic_is_not_offered_when_nothing_can_maneuver() {
    let rules = rules();
    let white = "footman(3,-3) archer(2,-3) scout(2,-2) ensign(3,-2)";
    let state = position(white, "knight(0,0)", "footman", |_| {});
    assert!(legal(&rules, &state, "tactic_footman").is_empty());
    assert!(legal(&rules, &state, "move").is_empty());
    assert_eq!(legal(&rules, &state, "bolster"), ["bolster:footman:3,0"]);
}

#[test]
fn royal_guard_of_2018_moves_one_step_anywhere() {
    let rules = WarChest { royal_guard: RoyalGuardCard::Printed2018, ..rules() };
    let state = position("royal_guard(0,0)", "scout(1,0)", "archer", |_| {});
    let steps = legal(&rules, &state, "tactic_royal_guard");
    assert_eq!(steps.len(), 5, "{steps:?}");
    let moved = play(&rules, &state, "tactic_royal_guard:3,3:4,3");
    assert_eq!(moved.zones(Seat::FIRST).discard_up.counts()[warchest::ROYAL_SLOT], 1);
}

#[test]
fn revised_royal_guard_ends_on_an_own_location_and_never_where_it_stands() {
    let rules = rules();
    let on_start = position("royal_guard(2,-3)", "scout(0,0)", "archer", |b| {
        b.marker("white", 1, -1).marker("white", 3, -2);
    });
    let reached = ["tactic_royal_guard:4,0:2,1", "tactic_royal_guard:4,0:3,2"];
    assert_eq!(legal(&rules, &on_start, "tactic_royal_guard"), reached);
    let blocked =
        position("royal_guard(2,-3) ensign(2,-2) marshal(3,-3)", "scout(0,0)", "archer", |b| {
            b.marker("white", 3, -2);
        });
    assert!(legal(&rules, &blocked, "tactic_royal_guard").is_empty(), "no empty hex in between");
}

#[test]
fn mercenary_answers_a_recruit_by_the_priests_coin() {
    let rules = rules();
    let white = "warrior_priest(0,0) mercenary(-2,0)";
    let state = position(white, "scout(1,0)", "warrior_priest", |b| {
        b.zone("white", "bag", "archer").zone("white", "supply", "mercenary");
    });
    let recruited = play(&rules, &state, "attack:3,3:2,3 draw:archer recruit:mercenary:archer");
    assert_eq!((recruited.decision(), recruited.actor()), (Some(Decision::Mercenary), Seat::FIRST));
    let controlled = play(&rules, &recruited, "mercenary_control:5,3");
    assert_eq!(controlled.decision(), Some(Decision::Main));
    assert_eq!(controlled.decider(), Seat::SECOND);
}

#[test]
fn swordsman_moves_after_the_marshals_order() {
    let rules = rules();
    let state = position("marshal(0,0) swordsman(1,0)", "scout(2,0)", "marshal", |_| {});
    let hit = play(&rules, &state, "tactic_marshal:2,3:1,3");
    assert_eq!(hit.decision(), Some(Decision::Swordsman));
    let vacated = legal(&rules, &hit, "swordsman_move:2,3:1,3");
    assert_eq!(vacated.len(), 1, "it may enter the hex of the unit it destroyed");
}

#[test]
fn a_swordsman_that_cannot_move_still_answers() {
    let rules = rules();
    let white = "swordsman(3,-3) scout(2,-3) ensign(2,-2)";
    let state = position(white, "pikeman(3,-2)x2", "swordsman", |_| {});
    let died = play(&rules, &state, "attack:3,0:2,1");
    assert_eq!(died.decision(), Some(Decision::Main), "the reflex destroyed it");
    let state = position(white, "crossbowman(3,-2)x2", "swordsman", |_| {});
    let hit = play(&rules, &state, "attack:3,0:2,1");
    assert_eq!(legal(&rules, &hit, ""), ["swordsman_decline"]);
}

#[test]
fn a_win_drops_the_rest_of_the_action() {
    let rules = rules();
    let five = |b: &mut Builder| {
        b.marker("white", -2, 0).marker("white", -1, 1).marker("white", 1, -1);
    };
    let state = position("warrior_priest(2,0)", "scout(3,0)", "warrior_priest", |b| {
        five(b);
        b.zone("white", "bag", "archer");
    });
    let won = play(&rules, &state, "control:1,3");
    assert_eq!(rules.turn(&won), Turn::Over, "no draw");
    let Some(Ending::Scored(utility)) = rules.ending(&won) else { panic!("white has won") };
    assert_eq!((utility.of(Seat::FIRST), utility.of(Seat::SECOND)), (1.0, -1.0));
    assert!(rules.legal(&won).is_empty());

    let footmen = position("footman(2,0) footman(0,0)", "scout(3,0)", "footman", five);
    let won = play(&rules, &footmen, "tactic_footman:footman footman_control:1,3");
    assert_eq!(won.step(), Step::Over(Some(Seat::FIRST)), "the second footman does not act");
}

#[test]
fn taking_an_enemys_location_returns_its_marker() {
    let rules = rules();
    let state = position("pikeman(1,2)", "scout(3,0)", "pikeman", |_| {});
    let taken = play(&rules, &state, "control:0,5");
    assert_eq!(taken.control(Seat::FIRST).len(), 3);
    assert_eq!(taken.control(Seat::SECOND).len(), 1);
}

#[test]
fn the_cap_truncates_after_its_last_coin_play_is_resolved() {
    let rules = WarChest::ranked();
    let mut builder = Builder::for_types(&["warrior_priest"], &["scout"]);
    builder.units("white", "warrior_priest(0,0)").units("black", "scout(1,0)x2");
    builder.zone("white", "hand", "warrior_priest royal_coin").zone("black", "hand", "royal_coin");
    builder.field("plays=255 round=43");
    let state = builder.build(&rules);
    assert_eq!(state.cap(), Some(256));
    let hit = play(&rules, &state, "attack:3,3:2,3 draw:warrior_priest");
    assert_eq!(hit.decision(), Some(Decision::WarriorPriestPlay), "the last play goes on");
    let over = play(&rules, &hit, "pass:warrior_priest");
    assert_eq!(rules.ending(&over), Some(Ending::Truncated), "although black still holds a coin");
    assert_eq!(over.coin_plays(), 256, "a drawn coin is no coin play");

    let uncapped = builder.field("cap=off").build(&rules);
    let on = play(&rules, &uncapped, "attack:3,3:2,3 draw:warrior_priest pass:warrior_priest");
    assert_eq!(on.decision(), Some(Decision::Main));
}

#[test]
fn initiative_moves_at_most_once_a_round_and_counts_from_the_next() {
    let rules = rules();
    let mut builder = Builder::for_types(&["archer"], &["scout"]);
    builder.zone("white", "hand", "archer archer royal_coin");
    builder.zone("black", "hand", "scout scout royal_coin");
    let state = builder.build(&rules);
    assert!(legal(&rules, &state, "claim").is_empty(), "white holds the marker");
    let claimed = play(&rules, &state, "pass:royal_coin claim_initiative:scout");
    assert!(claimed.initiative_moved() && claimed.initiative() == Seat::SECOND);
    assert!(legal(&rules, &claimed, "claim").is_empty(), "it has moved in this round");
    let next = play(&rules, &claimed, "pass:archer pass:scout pass:archer pass:royal_coin");
    assert_eq!((next.round(), next.actor()), (2, Seat::SECOND), "black draws and starts");
    assert!(!next.initiative_moved());
}

#[test]
fn an_empty_bag_is_refilled_only_when_a_coin_is_needed() {
    let rules = rules();
    let mut builder = Builder::for_types(&["archer"], &["scout"]);
    builder.zone("white", "bag", "archer archer").zone("white", "discard_down", "royal_coin");
    builder.zone("white", "discard_up", "archer").zone("black", "bag", "scout scout royal_coin");
    builder.field("step=round_draw");
    let state = builder.build(&rules);
    let emptied = play(&rules, &state, "draw:archer draw:archer");
    assert!(emptied.zones(Seat::FIRST).bag.is_empty());
    assert_eq!(
        emptied.zones(Seat::FIRST).discard_up.total(),
        1,
        "not refilled before it is needed"
    );
    let refilled = play(&rules, &emptied, "draw:royal_coin");
    assert_eq!(refilled.zones(Seat::FIRST).discard().total(), 0);
    assert_eq!(refilled.zones(Seat::FIRST).bag.total(), 1);
    assert_eq!(refilled.actor(), Seat::SECOND, "the holder draws all of its coins first");
}

#[test]
fn a_hand_may_stay_short_and_the_other_side_goes_on_alone() {
    let rules = rules();
    let mut builder = Builder::for_types(&["archer"], &["scout"]);
    builder.zone("white", "hand", "royal_coin").zone("black", "hand", "scout scout royal_coin");
    let state = builder.build(&rules);
    let alone = play(&rules, &state, "pass:royal_coin pass:scout");
    assert_eq!(alone.decider(), Seat::SECOND, "white has no coin left");
    let last = play(&rules, &alone, "pass:scout pass:royal_coin");
    assert_eq!((last.round(), last.decision()), (2, Some(Decision::Draw)));
    let next = play(&rules, &last, "draw:royal_coin");
    assert_eq!(next.actor(), Seat::SECOND, "white owns one coin, so it draws one");
}

#[test]
fn ensign_starts_a_berserkers_chain_and_marshal_a_priests_draw() {
    let rules = rules();
    let state = position("ensign(0,0) berserker_v2(1,0)x2", "scout(3,0)", "ensign", |_| {});
    let moved = play(&rules, &state, "tactic_ensign:2,3:1,3");
    assert_eq!(moved.decision(), Some(Decision::Berserker));
    let state = position("marshal(0,0) warrior_priest(1,0)", "scout(2,0)", "marshal", |_| {});
    let hit = play(&rules, &state, "tactic_marshal:2,3:1,3");
    assert_eq!(hit.decision(), Some(Decision::WarriorPriestDraw));
    assert_eq!(legal(&rules, &hit, "").len(), 0);
    let drawn = play(&rules, &hit, "draw:marshal");
    assert!(
        drawn.zones(Seat::FIRST).discard().is_empty(),
        "the spent coin came back by the refill"
    );
}

#[test]
fn marshal_and_ensign_choose_another_unit() {
    let rules = rules();
    let state = position("marshal(0,0)", "scout(1,0)", "marshal", |_| {});
    assert!(legal(&rules, &state, "tactic").is_empty());
    let state = position("ensign(0,0)", "scout(1,0)", "ensign", |_| {});
    assert!(legal(&rules, &state, "tactic").is_empty());
}
