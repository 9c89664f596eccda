//! What a position that comes again means. The lines are those that pyffish 0.0.90 judged.

use boards::Xiangqi;
use boards::xiangqi::{PerpetualCheck, STANDARD_START};
use game::{DrawnWhenRepeated, Line, Notation, Repetition, RepetitionOff, Seat, Utility};

/// Plays the moves and gives the verdicts after every ply.
fn verdicts(
    position: &str,
    moves: &[&str],
    rule: impl Repetition<Xiangqi>,
) -> Vec<Option<Utility>> {
    let rules = Xiangqi::WITHOUT_DRAWS;
    let mut line = Line::new(rules, rules.parse_position(position).expect(position));
    let mut given = Vec::new();
    for text in moves {
        let action = rules.parse_action(text).expect(text);
        assert!(game::Rules::is_possible(&rules, line.state(), action), "{text}");
        line.push(action);
        given.push(rule.verdict(&line));
    }
    given
}

const IN_PLAY: PerpetualCheck = PerpetualCheck { times: 3 };

const DRAW: [f64; 2] = [0.0, 0.0];

fn twice(cycle: &[&'static str]) -> Vec<&'static str> {
    cycle.iter().chain(cycle).copied().collect()
}

#[test]
fn a_perpetual_checker_loses() {
    let moves = twice(&["d1e1", "e9d9", "e1d1", "d9e9"]);
    let given = verdicts("4k4/9/9/9/9/9/9/9/3R5/5K3 w", &moves, IN_PLAY);
    assert_eq!(given[..7], [None; 7]);
    assert_eq!(given[7], Some(Utility::won_by(Seat::SECOND)));
}

#[test]
fn inside_a_search_the_second_time_decides() {
    let moves = ["d1e1", "e9d9", "e1d1", "d9e9"];
    let given = verdicts("4k4/9/9/9/9/9/9/9/3R5/5K3 w", &moves, PerpetualCheck { times: 2 });
    assert_eq!(given[3], Some(Utility::won_by(Seat::SECOND)));
}

#[test]
fn black_can_be_the_perpetual_checker() {
    let moves = twice(&["d8e8", "e0d0", "e8d8", "d0e0"]);
    let given = verdicts("5k3/3r5/9/9/9/9/9/9/9/4K4 b", &moves, IN_PLAY);
    assert_eq!(given[7], Some(Utility::won_by(Seat::FIRST)));
}

#[test]
fn an_idle_move_in_the_cycle_draws() {
    // The rook checks on e1, and not on g1 and d1.
    let cycle = ["d1e1", "e9d9", "e1g1", "d9e9", "g1e1", "e9d9", "e1d1", "d9e9"];
    let given = verdicts("4k4/9/9/9/9/9/9/9/3R5/5K3 w", &twice(&cycle), IN_PLAY);
    assert_eq!(given[15], Some(Utility::new(&DRAW)));
}

#[test]
fn quiet_moves_of_both_draw() {
    let moves = twice(&["f0f1", "d9d8", "f1f0", "d8d9"]);
    let given = verdicts("3k5/9/9/9/9/9/9/9/9/5K3 w", &moves, IN_PLAY);
    assert_eq!(given[7], Some(Utility::new(&DRAW)));
    let chase = twice(&["e5f5", "e4f4", "f5e5", "f4e4"]);
    let given = verdicts("3k5/9/9/9/4P4/4c4/9/9/9/5K3 w", &chase, IN_PLAY);
    assert_eq!(given[7], Some(Utility::new(&DRAW)));
}

/// The full rules forbid it; these do not, and say so.
#[test]
fn perpetual_chase_is_not_judged() {
    let moves = twice(&["a5a4", "h4h5", "a4a5", "h5h4"]);
    let given = verdicts("3k5/9/9/9/R8/7c1/9/9/9/4K4 w", &moves, IN_PLAY);
    assert_eq!(given[7], Some(Utility::new(&DRAW)));
}

#[test]
fn other_policies_draw_or_say_nothing() {
    let moves = twice(&["d1e1", "e9d9", "e1d1", "d9e9"]);
    let position = "4k4/9/9/9/9/9/9/9/3R5/5K3 w";
    let drawn = verdicts(position, &moves, DrawnWhenRepeated { times: 3 });
    assert_eq!(drawn[7], Some(Utility::new(&DRAW)));
    assert!(verdicts(position, &moves, RepetitionOff).iter().all(Option::is_none));
    let quiet = ["b0c2", "b9c7"];
    assert_eq!(verdicts(STANDARD_START, &quiet, IN_PLAY), [None; 2]);
}
