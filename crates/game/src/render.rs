//! Positions drawn as text for a person. One renderer serves a person's game, a shown match and an audit.

use crate::{Hidden, NotationError};

/// The default methods print the values as they are; a game with a board draws it.
pub trait Render: Hidden {
    /// What the observer may know, in lines; what it may not know is drawn as hidden.
    fn draw_now(&self, now: &Self::Now) -> String {
        format!("{now:#?}")
    }

    /// The complete position, in lines: for those who may hold one.
    fn draw_state(&self, state: &Self::State) -> String {
        format!("{state:#?}")
    }

    /// One ply as the seat that this event belongs to saw it, in one line.
    fn draw_event(&self, event: &Self::Event) -> String {
        format!("{event:?}")
    }

    /// One ply as one seat saw it, in one line that reads back; for players in other processes.
    fn event_text(&self, event: &Self::Event) -> String {
        format!("{event:?}")
    }

    /// Reads what `event_text` wrote.
    fn parse_event(&self, text: &str) -> Result<Self::Event, NotationError> {
        let reason = format!("{} has no notation for events", Self::NAME);
        Err(NotationError { what: "event", text: text.to_owned(), reason })
    }
}
