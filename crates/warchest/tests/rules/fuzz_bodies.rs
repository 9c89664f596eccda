//! The bodies of the fuzz targets, run here on random and mutated bytes: text from outside never panics and reads
//! back when it is accepted; a position that is accepted can be played; listing and applying agree.

use game::perft::possible;
use game::{Notation, Rules, Stream, Turn};
use warchest::{State, WarChest};

/// Any text as an action: refused, or written back the same.
fn action_text(rules: &WarChest, text: &str) -> bool {
    let Ok(action) = rules.parse_action(text) else { return false };
    assert_eq!(rules.action_text(action), text);
    true
}

/// Any text as a position: refused, or a valid position that reads back and can be played on.
fn position_text(rules: &WarChest, text: &str, stream: &mut Stream) -> bool {
    let Ok(mut state) = rules.parse_position(text) else { return false };
    assert_eq!(rules.parse_position(&rules.position_text(&state)).as_ref(), Ok(&state));
    for _ in 0..30 {
        if !legal_and_apply_agree(rules, &state) {
            break;
        }
        let actions = possible(rules, &state);
        rules.apply(&mut state, actions[stream.below(actions.len() as u32) as usize]);
    }
    true
}

fn setup_text(rules: &WarChest, text: &str) -> bool {
    let Ok(setup) = rules.parse_setup(text) else { return false };
    assert_eq!(rules.parse_setup(&rules.setup_text(&setup)), Ok(setup));
    rules.validate(&rules.initial(&setup)).unwrap();
    true
}

/// Everything listed can be played and leads to a valid position; false after the end.
fn legal_and_apply_agree(rules: &WarChest, state: &State) -> bool {
    rules.validate(state).unwrap();
    let actions = possible(rules, state);
    assert_eq!(actions.is_empty(), rules.turn(state) == Turn::Over);
    for action in &actions {
        assert!(rules.is_possible(state, *action));
        let mut next = *state;
        rules.play(&mut next, *action).unwrap();
        rules.validate(&next).unwrap();
    }
    !actions.is_empty()
}

/// Replaces, removes, doubles or moves pieces of `text`, cut at the separators of the notation.
fn mutated(text: &str, donors: &[String], stream: &mut Stream) -> String {
    let pieces = |text: &str| -> Vec<String> {
        text.split_inclusive([' ', ':', ',', '+', ';', '=', '/', '*']).map(str::to_owned).collect()
    };
    let mut list = pieces(text);
    for _ in 0..=stream.below(3) {
        if list.is_empty() {
            break;
        }
        let at = stream.below(list.len() as u32) as usize;
        match stream.below(5) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, list[stream.below(list.len() as u32) as usize].clone()),
            2 => {
                let donor = pieces(&donors[stream.below(donors.len() as u32) as usize]);
                list[at] = donor[stream.below(donor.len() as u32) as usize].clone();
            }
            3 => {
                let mut bytes = list[at].clone().into_bytes();
                let byte = stream.below(bytes.len() as u32) as usize;
                bytes[byte] = stream.below(128) as u8;
                list[at] = String::from_utf8(bytes).unwrap();
            }
            _ => list.swap(at, 0),
        }
    }
    list.concat()
}

const N_TRIES: usize = if cfg!(debug_assertions) { 4_000 } else { 20_000 };

/// Texts of positions, set-ups and actions from random games.
fn corpus(rules: &WarChest, stream: &mut Stream) -> [Vec<String>; 3] {
    let [mut positions, mut setups, mut actions] = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..20 {
        let setup = rules.deal(stream);
        setups.push(rules.setup_text(&setup));
        let mut state = rules.initial(&setup);
        while rules.turn(&state) != Turn::Over {
            let all = possible(rules, &state);
            let action = all[stream.below(all.len() as u32) as usize];
            rules.apply(&mut state, action);
            if stream.below(20) == 0 {
                positions.push(rules.position_text(&state));
                actions.extend(all.iter().map(|action| rules.action_text(*action)));
            }
        }
    }
    [positions, setups, actions]
}

#[test]
fn mutated_texts_are_refused_or_read_back() {
    let rules = WarChest::ranked();
    let mut stream = Stream::from_seed(31);
    let [positions, setups, actions] = corpus(&rules, &mut stream);
    let mut accepted = [0usize; 3];
    for _ in 0..N_TRIES {
        let pick = |list: &[String], stream: &mut Stream| {
            list[stream.below(list.len() as u32) as usize].clone()
        };
        let base = pick(&positions, &mut stream);
        let text = mutated(&base, &positions, &mut stream);
        accepted[0] += usize::from(position_text(&rules, &text, &mut stream));
        let base = pick(&setups, &mut stream);
        accepted[1] += usize::from(setup_text(&rules, &mutated(&base, &setups, &mut stream)));
        let base = pick(&actions, &mut stream);
        accepted[2] += usize::from(action_text(&rules, &mutated(&base, &actions, &mut stream)));
    }
    assert!(accepted.iter().all(|n| *n > N_TRIES / 400 && *n < N_TRIES), "{accepted:?}");
}

#[test]
fn random_bytes_never_panic() {
    let rules = WarChest::ranked();
    let mut stream = Stream::from_seed(32);
    for _ in 0..N_TRIES {
        let n_bytes = stream.below(60);
        let bytes: Vec<u8> = (0..n_bytes).map(|_| stream.next_u64() as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!action_text(&rules, &text));
        assert!(!position_text(&rules, &text, &mut stream));
        assert!(!setup_text(&rules, &text));
    }
}

#[test]
fn errors_say_what_and_which() {
    let rules = WarChest::default();
    let action = |text: &str| rules.parse_action(text).unwrap_err().to_string();
    assert_eq!(
        action("move:3,3:9,9"),
        "action \"move:3,3:9,9\" does not read: \"9,9\" is not a hex of the board (x,y)"
    );
    assert!(action("pass").ends_with("its coin is missing"));
    assert!(action("pass:archer:knight").ends_with("\"knight\" is one part too many"));
    assert!(action("fly:3,3:3,4").ends_with("\"fly\" is not the name of an action"));
    let setup = "armies=archer,knight,lancer,footman_v2/scout,ensign,marshal,pikeman first=white";
    let error = rules.parse_setup(setup).unwrap_err().to_string();
    assert!(error.ends_with("footman_v2 is not in pool base"), "{error}");
}

#[test]
fn the_examples_of_the_notation_guide_read() {
    let guide = include_str!("../../../../docs/war-chest-notation.md");
    let rules = WarChest::default();
    let examples: Vec<&str> = guide.lines().filter(|line| line.starts_with("armies=")).collect();
    let (setups, positions): (Vec<&str>, Vec<&str>) =
        examples.into_iter().partition(|line| line.contains(" first="));
    assert!(!setups.is_empty() && !positions.is_empty());
    for text in setups {
        assert_eq!(rules.setup_text(&rules.parse_setup(text).unwrap()), text);
    }
    for text in positions {
        let state = rules.parse_position(text).unwrap();
        assert!(!rules.legal(&state).is_empty());
    }
}
