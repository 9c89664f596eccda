//! Positions drawn as text for a person: one renderer for what a seat may know and for the truth.

use crate::validate::seat_name;
use crate::{
    Army, Coins, Decision, Event, Hex, LOCATIONS, Now, Seen, SeenZones, Stack, State, Step, Unit,
    WarChest, Zones,
};
use game::{NotationError, Render, Seat, Turn};
use std::fmt::Write;

impl Render for WarChest {
    fn draw_now(&self, now: &Now) -> String {
        let state = now.with_nothing_concealed();
        let mut zones = [Known::Whole(now.own); 2];
        zones[now.observer.other().idx()] = Known::Outside(now.opponent);
        let viewer = Viewer::Seat(now.observer);
        draw(&Picture { state: &state, zones, viewer })
    }

    fn draw_state(&self, state: &State) -> String {
        let zones = Seat::BOTH.map(|seat| Known::Whole(*state.zones(seat)));
        draw(&Picture { state, zones, viewer: Viewer::Everything })
    }

    fn draw_event(&self, event: &Event) -> String {
        let coin = event.coin.map_or("?", |coin| coin.name());
        let what = match event.seen {
            Seen::Drew | Seen::PriestDrew => format!("draw:{coin}"),
            Seen::ClaimedInitiative => format!("claim_initiative:{coin}"),
            Seen::Recruited(unit) => format!("recruit:{unit}:{coin}"),
            Seen::Passed => format!("pass:{coin}"),
            Seen::Open(action) => action.to_string(),
        };
        format!("{} {what}", seat_name(event.seat))
    }

    fn event_text(&self, event: &Event) -> String {
        crate::event_text::event_text(event)
    }

    fn parse_event(&self, text: &str) -> Result<Event, NotationError> {
        crate::event_text::parse_event(text).map_err(|reason| NotationError {
            what: "event",
            text: text.to_owned(),
            reason,
        })
    }
}

/// How much is known of one seat's coins.
#[derive(Clone, Copy)]
enum Known {
    Whole(Zones),
    Outside(SeenZones),
}

#[derive(Clone, Copy, PartialEq)]
enum Viewer {
    Seat(Seat),
    Everything,
}

/// What is drawn. Of `state` nothing hidden is looked at; coins off the board come from `zones`.
struct Picture<'a> {
    state: &'a State,
    zones: [Known; 2],
    viewer: Viewer,
}

fn draw(picture: &Picture) -> String {
    let mut out = String::new();
    draw_heading(&mut out, picture);
    draw_board(&mut out, picture.state);
    for seat in Seat::BOTH {
        draw_zones(&mut out, picture, seat);
    }
    out
}

fn draw_heading(out: &mut String, picture: &Picture) {
    let state = picture.state;
    let view = match picture.viewer {
        Viewer::Seat(seat) => format!("as {} sees it", seat_name(seat)),
        Viewer::Everything => "the truth".to_owned(),
    };
    let cap = state.cap().map_or(String::new(), |cap| format!(" of {cap}"));
    let moved = if state.initiative_moved() { " (taken this round)" } else { "" };
    let initiative = seat_name(state.initiative());
    let _ = writeln!(
        out,
        "round {}, {}{cap} coins used, initiative {initiative}{moved}, {view}",
        state.round(),
        state.coin_plays(),
    );
    let _ = writeln!(out, "{}", waiting_text(state));
}

/// Who has to do what.
fn waiting_text(state: &State) -> String {
    let who = seat_name(state.decider());
    let at = |hex: Hex| format!("on {hex}");
    match (state.turn(), state.decision()) {
        (Turn::Over, _) => match state.step() {
            Step::Over(Some(winner)) => format!("{} has won", seat_name(winner)),
            _ => "truncated at the cap: no result".to_owned(),
        },
        (_, Some(Decision::RoyalGuard)) => {
            let place = state.attacked_guard().map_or(String::new(), at);
            format!("{who} chooses what its royal guard {place} loses")
        }
        _ => match state.step() {
            Step::RoundDraw => format!("{who} draws a coin"),
            Step::PriestDraw => format!("{who} draws a coin for its warrior priest"),
            Step::PriestPlay => format!("{who} uses the drawn coin"),
            Step::Cavalry(hex) => format!("{who} attacks with the cavalry {}", at(hex)),
            Step::Berserker(hex) => format!("{who} may go on with the berserker {}", at(hex)),
            Step::Swordsman(hex) => format!("{who} may move the swordsman {}", at(hex)),
            Step::Mercenary(hex) => format!("{who} may maneuver the mercenary {}", at(hex)),
            Step::FootmanV2Deploy(_) => format!("{who} may deploy the recruited footman_v2"),
            Step::Footmen(waiting) => {
                let hexes: Vec<String> = waiting.into_iter().map(|hex| hex.to_string()).collect();
                format!("{who} maneuvers a footman: {} left to act", hexes.join(" and "))
            }
            _ => format!("{who} to use a coin"),
        },
    }
}

const N_ROWS: i8 = 7;
/// Half a hex; a row stands half a hex further right than the one above it.
const HALF_WIDTH: usize = 4;
const MARGIN: usize = 2;

/// Two lines a row of hexes: coordinates with the control marker, then the units.
fn draw_board(out: &mut String, state: &State) {
    for y in 0..N_ROWS {
        let mut places = String::new();
        let mut units = String::new();
        for x in 0..N_ROWS {
            let Some(hex) = Hex::from_site(x, y) else { continue };
            let column = MARGIN + HALF_WIDTH * (2 * x + y - 3) as usize;
            put(&mut places, column, &format!("{hex}{}", marker_text(state, hex)));
            put(&mut units, column, &stack_text(state, hex));
        }
        let _ = writeln!(out, "{}\n{}", places.trim_end(), units.trim_end());
    }
    let _ = writeln!(
        out,
        "o free location, w/b controlled by white/black; units: WHITE, black, and their height"
    );
}

fn put(line: &mut String, column: usize, text: &str) {
    while line.len() < column {
        line.push(' ');
    }
    line.push_str(text);
}

fn marker_text(state: &State, hex: Hex) -> &'static str {
    if !LOCATIONS.contains(hex) {
        ""
    } else if state.control(Seat::FIRST).contains(hex) {
        " w"
    } else if state.control(Seat::SECOND).contains(hex) {
        " b"
    } else {
        " o"
    }
}

fn stack_text(state: &State, hex: Hex) -> String {
    let stack: Stack = state.stack(hex);
    let Some(unit) = state.unit_at(hex) else { return ".".to_owned() };
    let short = short_name(unit);
    let name = if stack.owner() == Seat::FIRST { short.to_uppercase() } else { short.to_owned() };
    format!("{name} {}", stack.height())
}

/// Four letters that no other type has.
const fn short_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Archer => "arch",
        Unit::Berserker => "bers",
        Unit::Cavalry => "cava",
        Unit::Crossbowman => "xbow",
        Unit::Ensign => "ensi",
        Unit::Footman => "foot",
        Unit::Knight => "knig",
        Unit::Lancer => "lanc",
        Unit::LightCavalry => "lcav",
        Unit::Marshal => "mars",
        Unit::Mercenary => "merc",
        Unit::Pikeman => "pike",
        Unit::RoyalGuard => "rgua",
        Unit::Scout => "scou",
        Unit::Swordsman => "swor",
        Unit::WarriorPriest => "prie",
        Unit::BerserkerV2 => "ber2",
        Unit::FootmanV2 => "foo2",
        Unit::WarriorPriestV2 => "pri2",
    }
}

fn draw_zones(out: &mut String, picture: &Picture, seat: Seat) {
    let army = picture.state.army(seat);
    let you = if picture.viewer == Viewer::Seat(seat) { " (you)" } else { "" };
    let n_markers = picture.state.control(seat).len();
    let types: Vec<&str> = army.units().iter().map(|unit| unit.name()).collect();
    let _ = writeln!(
        out,
        "{}{you}: {}; {n_markers} of {} markers placed",
        seat_name(seat),
        types.join(", "),
        crate::N_MARKERS
    );
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:<13} {text}");
    };
    let known = |coins| coins_text(army, coins);
    match &picture.zones[seat.idx()] {
        Known::Whole(zones) => {
            line("hand", known(zones.hand));
            if !zones.drawn.is_empty() {
                line("drawn", known(zones.drawn));
            }
            line("bag", known(zones.bag));
            line("face-down", known(zones.discard_down));
            line("face-up", known(zones.discard_up));
            line("supply", known(zones.supply));
            line("eliminated", known(zones.eliminated));
        }
        Known::Outside(zones) => {
            line("hand", hidden_text(zones.hand_len));
            if zones.drawn_len > 0 {
                line("drawn", hidden_text(zones.drawn_len));
            }
            line("bag", hidden_text(zones.bag_len()));
            line("face-down", hidden_text(zones.discard_down_len));
            line("hidden in all", known(zones.reserve));
            line("face-up", known(zones.discard_up));
            line("supply", known(zones.supply));
            line("eliminated", known(zones.eliminated));
        }
    }
}

fn hidden_text(n_coins: u8) -> String {
    if n_coins == 0 { "-".to_owned() } else { format!("? x{n_coins}") }
}

fn coins_text(army: &Army, coins: Coins) -> String {
    if coins.is_empty() {
        return "-".to_owned();
    }
    let item = |slot| match coins.count(slot) {
        1 => army.coin(slot).to_string(),
        n => format!("{} x{n}", army.coin(slot)),
    };
    coins.slots().map(item).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;
    use crate::fixture::three_worlds;
    use game::Hidden;

    #[test]
    fn what_a_seat_may_not_know_is_drawn_as_hidden() {
        let rules = WarChest::default();
        let drawings = three_worlds(&rules).map(|state| {
            let white = rules.draw_now(&rules.now(&state, Seat::FIRST));
            (white, rules.draw_state(&state))
        });
        assert_eq!(drawings[0].0, drawings[1].0, "white cannot tell them apart");
        assert_ne!(drawings[0].1, drawings[1].1, "the truth differs");
        let (white, truth) = &drawings[0];
        assert!(white.contains("? x1") && !truth.contains('?'), "{white}\n{truth}");
        assert!(white.contains("  hand          archer\n"), "{white}");
    }

    #[test]
    fn short_names_differ_and_the_board_shows_every_hex_once() {
        let names: std::collections::HashSet<_> = Unit::ALL.map(short_name).into();
        assert_eq!(names.len(), Unit::COUNT);
        let rules = WarChest::default();
        let [state, ..] = three_worlds(&rules);
        let text = rules.draw_state(&state);
        for hex in Hex::all() {
            let n_places = text.split_ascii_whitespace().filter(|word| **word == hex.to_string());
            assert_eq!(n_places.count(), 1, "{hex}\n{text}");
        }
        assert!(text.contains("ARCH 1") && text.contains("bers 2"), "{text}");
    }

    #[test]
    fn events_hide_coins() {
        let rules = WarChest::default();
        let [state, ..] = three_worlds(&rules);
        let action = Action::Pass { coin: Unit::Archer.into() };
        let seen = |seat| rules.draw_event(&rules.event(&state, action, seat));
        assert_eq!(seen(Seat::FIRST), "white pass:archer");
        assert_eq!(seen(Seat::SECOND), "white pass:?");
    }
}
