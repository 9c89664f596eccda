//! War Chest's text notation behind the trait of `game`.

use crate::{Action, Setup, State, WarChest, action_text, position_text};
use game::{Notation, NotationError, Rules};

impl Notation for WarChest {
    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        action_text::parse_action(text).map_err(|reason| error("action", text, reason))
    }

    fn setup_text(&self, setup: &Setup) -> String {
        position_text::setup_text(setup)
    }

    fn parse_setup(&self, text: &str) -> Result<Setup, NotationError> {
        position_text::parse_setup(self, text).map_err(|reason| error("set-up", text, reason))
    }

    fn position_text(&self, state: &State) -> String {
        position_text::position_text(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let state = position_text::parse_position(self, text)
            .map_err(|reason| error("position", text, reason))?;
        match self.validate(&state) {
            Ok(()) => Ok(state),
            Err(invalid) => Err(error("position", text, invalid.to_string())),
        }
    }
}

fn error(what: &'static str, text: &str, reason: String) -> NotationError {
    NotationError { what, text: text.to_owned(), reason }
}
