//! The text that says which rules, features and action numbers some data was made with.

use crate::WarChest;
use crate::observation::NOW_LEN;
use game::{ActionSpace, Encode, Fingerprinted, Hidden, Rules};

/// Rises when the rules themselves change what is legal or what an action does.
const RULES_VERSION: u32 = 1;

impl Fingerprinted for WarChest {
    fn fingerprint_text(&self) -> String {
        let layout = self.feature_layout();
        format!(
            "{}features {} planes {} x {} and {} globals\n{}actions {}\n{}",
            self.rules_text(),
            layout.planes,
            layout.height,
            layout.width,
            layout.globals,
            self.feature_spec(),
            self.policy_layout().n_actions(),
            self.action_spec(),
        )
    }

    fn rules_text(&self) -> String {
        format!(
            "rules {} {RULES_VERSION} {}\nobservation {} {NOW_LEN} bytes\n",
            Self::NAME,
            self.options_text(),
            Self::OBSERVATION,
        )
    }
}
