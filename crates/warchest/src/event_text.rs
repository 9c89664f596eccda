//! One ply as one seat saw it, as a line that reads back: `SEAT WHAT COIN`.
//!
//! `WHAT` is `drew`, `priest_drew`, `claimed`, `recruited:UNIT`, `passed` or an open action in its notation. `COIN` is
//! the coin that changed its zone, or `-` where none did or the seat may not know it.

use crate::action_text::{parse_action, parse_coin, parse_unit};
use crate::position_text::parse_seat;
use crate::validate::seat_name;
use crate::{Action, Event, Seen};

pub(crate) fn event_text(event: &Event) -> String {
    let what = match event.seen {
        Seen::Drew => "drew".to_owned(),
        Seen::PriestDrew => "priest_drew".to_owned(),
        Seen::ClaimedInitiative => "claimed".to_owned(),
        Seen::Recruited(unit) => format!("recruited:{unit}"),
        Seen::Passed => "passed".to_owned(),
        Seen::Open(action) => action.to_string(),
    };
    let coin = event.coin.map_or("-", |coin| coin.name());
    format!("{} {what} {coin}", seat_name(event.seat))
}

pub(crate) fn parse_event(text: &str) -> Result<Event, String> {
    let parts: Vec<&str> = text.split_ascii_whitespace().collect();
    let [seat, what, coin] = parts[..] else {
        return Err("an event is SEAT WHAT COIN".to_owned());
    };
    let coin = match coin {
        "-" => None,
        name => Some(parse_coin(name)?),
    };
    let seen = match what.split_once(':').unwrap_or((what, "")) {
        ("drew", "") => Seen::Drew,
        ("priest_drew", "") => Seen::PriestDrew,
        ("claimed", "") => Seen::ClaimedInitiative,
        ("recruited", unit) => Seen::Recruited(parse_unit(unit)?),
        ("passed", "") => Seen::Passed,
        _ => match parse_action(what)? {
            Action::Draw { .. }
            | Action::ClaimInitiative { .. }
            | Action::Recruit { .. }
            | Action::Pass { .. } => return Err(format!("{what} does not happen openly")),
            action => Seen::Open(action),
        },
    };
    Ok(Event { seat: parse_seat(seat)?, seen, coin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WarChest;
    use game::{Chance, Hidden, Rules, Seat, Stream, Turn};

    /// Every event of random games, as each seat saw it, reads back.
    #[test]
    fn events_read_back() {
        let rules = WarChest::ranked();
        let mut stream = Stream::from_seed(12);
        let mut n_hidden = 0;
        for _ in 0..20 {
            let mut state = rules.initial(&rules.deal(&mut stream));
            while rules.turn(&state) != Turn::Over {
                let action = match rules.turn(&state) {
                    Turn::Chance => rules.draw(&state, &mut stream),
                    _ => {
                        let legal = rules.legal(&state);
                        legal[stream.below(legal.len() as u32) as usize]
                    }
                };
                for seat in Seat::BOTH {
                    let event = rules.event(&state, action, seat);
                    assert_eq!(parse_event(&event_text(&event)), Ok(event));
                    n_hidden += usize::from(event.coin.is_none());
                }
                let _ = rules.apply(&mut state, action);
            }
        }
        assert!(n_hidden > 1000, "{n_hidden}");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "white drew", "red drew -", "white pass:archer archer", "white drew:3 -"] {
            assert!(parse_event(text).is_err(), "{text}");
        }
    }
}
