//! Names and options become the game they say; everything else is refused with the list of what exists.

use catalog::{GameVisitor, SolverVisitor, names, solvable_names, visit, visit_solvable};
use game::{Belief, Fingerprinted, Hidden, Notation, PipelineGame, Render, Rules};

/// Answers with the game's fingerprint text and the name of its belief.
struct Describe;

impl GameVisitor for Describe {
    type Output = (String, String);

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        (rules.fingerprint_text(), belief.name())
    }
}

fn describe(name: &str, options: &str) -> Result<(String, String), String> {
    visit(name, &options.parse().unwrap(), Describe).map_err(|error| error.to_string())
}

#[test]
fn every_name_is_a_game() {
    for name in names() {
        let (text, belief) = describe(name, "").unwrap();
        assert!(text.starts_with(&format!("rules {name} ")), "{text}");
        assert_eq!(belief, "exact-uniform");
    }
}

#[test]
fn options_change_the_fingerprint_as_they_say() {
    let first_line = |options| {
        let (text, _) = describe("war-chest", options).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    let default = first_line("");
    assert!(default.ends_with("pool=base royal_guard=revised cap=256"), "{default}");
    assert_eq!(first_line("pool = \"base\"\nroyal_guard = \"revised\"\ncap = 256"), default);
    assert!(first_line("pool = \"ranked\"").contains("pool=ranked"));
    assert!(first_line("royal_guard = \"2018\"").contains("royal_guard=2018"));
    assert!(first_line("cap = 0").ends_with("cap=off"));
    assert_eq!(first_line("deal = \"first_game\""), default, "rows of any deal read alike");
}

#[test]
fn a_belief_is_chosen_by_name_and_is_no_rule() {
    let (default, _) = describe("war-chest", "").unwrap();
    for belief in ["structural-uniform-v1", "labelled-uniform", "exact-uniform"] {
        let (text, name) = describe("war-chest", &format!("belief = {belief:?}")).unwrap();
        assert_eq!((&*name, text), (belief, default.clone()));
    }
    for (options, exponent) in
        [("", "0.5"), ("\nbelief_exponent = 1", "1"), ("\nbelief_exponent = 0.25", "0.25")]
    {
        let options = format!("belief = \"policy-posterior\"{options}");
        let (text, name) = describe("war-chest", &options).unwrap();
        assert_eq!(
            (name, text),
            (format!("policy-posterior (exponent {exponent})"), default.clone())
        );
    }
}

#[test]
fn refusals_say_what_exists() {
    let unknown = format!("unknown game \"go-fish\"; there is {}", names().join(", "));
    let refusals = [
        ("go-fish", "", unknown.as_str()),
        (
            "war-chest",
            "pols = \"base\"",
            "unknown option \"pols\" for war-chest; there is belief, belief_exponent, \
             cap, deal, pool, royal_guard",
        ),
        (
            "war-chest",
            "belief = \"exact\"",
            "option belief of war-chest is \"exact\"; it must be \"structural-uniform-v1\" or \
             \"labelled-uniform\" or \"exact-uniform\" or \"policy-posterior\"",
        ),
        (
            "war-chest",
            "belief_exponent = -0.5",
            "option belief_exponent of war-chest is -0.5; it must be a number from 0 to 2",
        ),
        (
            "war-chest",
            "pool = \"all\"",
            "option pool of war-chest is \"all\"; it must be \"base\" or \"ranked\"",
        ),
        (
            "war-chest",
            "royal_guard = 2018",
            "option royal_guard of war-chest is 2018; it must be \"revised\" or \"2018\"",
        ),
        (
            "war-chest",
            "cap = -1",
            "option cap of war-chest is -1; \
             it must be a number of coin plays from 0 (never) to 65534",
        ),
        ("kuhn", "players = 4", "option players of kuhn is 4; it must be 2 or 3"),
        (
            "kuhn",
            "players = 3",
            "kuhn with these options is for 3 seats; searches, matches and training are for two \
             (muster solve takes it)",
        ),
        ("chicken", "eggs = 1", "unknown option \"eggs\" for chicken; there is none"),
        (
            "liars-dice",
            "sides = 7",
            "option sides of liars-dice is 7; it must be a whole number from 2 to 6",
        ),
        (
            "leduc",
            "belief = \"labelled-uniform\"",
            "option belief of leduc is \"labelled-uniform\"; it must be \"exact-uniform\"",
        ),
    ];
    for (name, options, expected) in refusals {
        assert_eq!(describe(name, options).unwrap_err(), expected);
    }
}

/// Answers with the game's fingerprint text and its number of seats.
struct DescribeSolvable;

impl SolverVisitor for DescribeSolvable {
    type Output = (String, usize);

    fn visit<G>(self, rules: G) -> Self::Output
    where
        G: Hidden + Rules<Setup = ()> + Notation + Render + Fingerprinted,
    {
        (rules.fingerprint_text(), rules.n_seats())
    }
}

#[test]
fn what_can_be_solved_is_found_by_the_same_name() {
    let find = |name: &str, options: &str| {
        visit_solvable(name, &options.parse().unwrap(), DescribeSolvable)
    };
    for name in solvable_names() {
        assert_eq!(find(name, "").unwrap().0, describe(name, "").unwrap().0);
    }
    let (text, n_seats) = find("kuhn", "players = 3").unwrap();
    assert!(text.starts_with("rules kuhn players=3") && n_seats == 3, "{text}");
    let error = find("war-chest", "").unwrap_err().to_string();
    assert!(error.starts_with("war-chest is too large to be solved"), "{error}");
    assert!(find("go-fish", "").unwrap_err().to_string().starts_with("unknown game"));
}
