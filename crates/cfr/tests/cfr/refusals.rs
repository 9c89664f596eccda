//! What no solver can work with is refused, with the histories that show it.

use crate::faulty::{Fault, FaultyKuhn};
use cfr::information::{Everything, Information};
use cfr::size::NODE_BYTES;
use cfr::{CompileError, Tree, compile};
use game::{Hidden, Observation, Seat};

const LIMIT: u64 = 1 << 30;

fn compiled(fault: Fault) -> Result<Tree, CompileError> {
    compile(&FaultyKuhn(fault), &(), &Everything, LIMIT)
}

#[test]
fn sound_rules_compile() {
    let tree = compiled(Fault::None).unwrap();
    assert_eq!((tree.n_nodes(), tree.n_terminals(), tree.information_sets().len()), (58, 30, 12));
}

#[test]
fn legal_actions_that_a_hidden_card_decides() {
    let error = compiled(Fault::ActionsByHiddenCard).unwrap_err();
    let CompileError::LegalActions { seat, first, first_actions, second, second_actions } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(*seat, Seat::SECOND);
    assert_eq!((first.join(" "), first_actions.join(" ")), ("J K pass".into(), "pass bet".into()));
    assert_eq!((second.join(" "), second_actions.join(" ")), ("Q K pass".into(), "bet".into()));
    assert!(error.to_string().contains("[J K pass]"), "{error}");
}

/// What a seat knows now, without the way there.
struct NowAlone;

impl Information<FaultyKuhn> for NowAlone {
    fn write_key(
        &self,
        rules: &FaultyKuhn,
        observation: &Observation<FaultyKuhn>,
        out: &mut Vec<u8>,
    ) {
        rules.write_now(observation.now(), out);
    }
}

#[test]
fn a_seat_that_forgets_what_it_did() {
    let error = compile(&FaultyKuhn(Fault::None), &(), &NowAlone, LIMIT).unwrap_err();
    let CompileError::PerfectRecall { seat, first, second } = &error else { panic!("{error}") };
    let histories = (first.join(" "), second.join(" "));
    assert_eq!(histories, ("J Q".to_owned(), "J Q pass bet".to_owned()), "{error}");
    assert_eq!(*seat, Seat::FIRST);
}

#[test]
fn a_game_without_a_result() {
    let error = compiled(Fault::Truncated).unwrap_err();
    let CompileError::Truncated { history } = &error else { panic!("{error}") };
    assert_eq!(history.join(" "), "J Q pass pass");
}

#[test]
fn a_game_that_does_not_fit() {
    let bytes = 58 * NODE_BYTES;
    let fits = |limit| compile(&FaultyKuhn(Fault::None), &(), &Everything, limit);
    assert!(fits(bytes).is_ok());
    let error = fits(bytes - 1).unwrap_err();
    let CompileError::TooLarge { size, limit_bytes } = &error else { panic!("{error}") };
    assert_eq!((size.histories, size.is_exact, *limit_bytes), (58.0, true, bytes - 1));
    assert!(error.to_string().contains("--max-memory"), "{error}");
}
