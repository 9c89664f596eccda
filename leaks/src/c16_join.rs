//! C16: audit and training data in one hand.

use crate::boundary::truth_in_reach_of_trainer;
use crate::c15_switches::{changed, planted};
use crate::planted::{Leak, Planted, leak};
use audit::lab::Test;

const TRAINER: &str = include_str!("../../trainer/Cargo.toml");
const RECORD: &str = include_str!("../../crates/record/Cargo.toml");

pub fn leaks() -> Vec<Leak> {
    vec![
        planted(
            16,
            "trainer-reads-audit",
            "the trainer depends on the crate of audit rows",
            || {
                let trainer = changed(
                    TRAINER,
                    "[dependencies]\n",
                    "[dependencies]\naudit.workspace = true\n",
                );
                truth_in_reach_of_trainer(&[("trainer", &trainer)])
            },
        ),
        planted(16, "trainer-tests-with-a-truth", "the trainer's tests may hold a truth", || {
            let trainer = format!("{TRAINER}\n[dev-dependencies]\nreferee.workspace = true\n");
            truth_in_reach_of_trainer(&[("trainer", &trainer)])
        }),
        planted(
            16,
            "rows-that-know-the-referee",
            "the crate of training rows depends on the referee",
            || {
                let record = changed(
                    RECORD,
                    "[dependencies]\n",
                    "[dependencies]\nreferee.workspace = true\n",
                );
                truth_in_reach_of_trainer(&[("trainer", TRAINER), ("record", &record)])
            },
        ),
        leak(
            16,
            "window-takes-audit-shards",
            "the trainer's reader takes a file of audit rows",
            Planted { takes: |_, _, bytes| !bytes.is_empty(), ..Planted::CLEAN },
        )
        .caught_by(Test::Schema),
    ]
}
