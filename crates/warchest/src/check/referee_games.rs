//! Replays games of an independent referee and compares everything at every ply.
//!
//! One JSON object a line, plain or gzip: `white`, `black` (four types each), `first`, `plies` (each with `actor`,
//! `decision`, `legal`, `play`, `state` and sometimes `perft`), `end`, `winner`, `final`.

use crate::validate::seat_name;
use crate::{Army, Coins, Decision, Hex, Setup, State, Step, Unit, WarChest};
use flate2::read::MultiGzDecoder;
use game::perft::{perft, possible};
use game::{Notation, Rules, Seat};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// What the comparison found.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Report {
    pub games: u64,
    pub plies: u64,
    /// Plies whose legal actions differ, or whose recorded play is not among ours.
    pub legal_mismatches: u64,
    /// Plies (the end included) whose state, decision or acting seat differs.
    pub state_mismatches: u64,
    /// Plies of which a recorded perft number differs.
    pub perft_mismatches: u64,
    /// Plies that carried perft numbers.
    pub perft_plies: u64,
    /// The first difference, in words.
    pub first_mismatch: Option<String>,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.first_mismatch.is_none()
    }
}

/// A file that is not of this form.
#[derive(Debug, thiserror::Error)]
pub enum BadGames {
    #[error("line {line}: cannot be read ({error}); the file may be cut off")]
    Read { line: u64, error: io::Error },
    #[error("line {line}: not a JSON object ({error})")]
    Json { line: u64, error: serde_json::Error },
    #[error("line {line}: field {field}: {reason}")]
    Field { line: u64, field: String, reason: String },
    #[error("the file holds no game")]
    Empty,
}

/// Replays every game of `reader` by the rules of pool `ranked` with the default cap.
pub fn referee_games(reader: impl Read) -> Result<Report, BadGames> {
    let mut report = Report::default();
    let mut lines = decoded(reader).map_err(|error| BadGames::Read { line: 1, error })?;
    let mut text = String::new();
    let mut line = 0;
    loop {
        line += 1;
        text.clear();
        let n_read = lines.read_line(&mut text).map_err(|error| BadGames::Read { line, error })?;
        if n_read == 0 {
            break;
        }
        if text.trim().is_empty() {
            continue;
        }
        let game: Value =
            serde_json::from_str(&text).map_err(|error| BadGames::Json { line, error })?;
        replay(&game, line, &mut report).map_err(|BadField { field, reason }| BadGames::Field {
            line,
            field,
            reason,
        })?;
    }
    if report.games == 0 { Err(BadGames::Empty) } else { Ok(report) }
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

fn decoded<'a>(mut reader: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut head = Vec::new();
    reader.by_ref().take(2).read_to_end(&mut head)?;
    let is_gzip = head == GZIP_MAGIC;
    let whole = Cursor::new(head).chain(reader);
    Ok(if is_gzip {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(BufReader::new(whole))
    })
}

/// A field that is missing or holds something else.
struct BadField {
    field: String,
    reason: String,
}

fn bad(field: impl Into<String>, reason: impl Into<String>) -> BadField {
    BadField { field: field.into(), reason: reason.into() }
}

/// A place in the JSON of one game, which knows its name.
#[derive(Clone)]
struct Field<'a> {
    name: String,
    value: &'a Value,
}

impl<'a> Field<'a> {
    fn get(&self, key: &str) -> Result<Field<'a>, BadField> {
        let name =
            if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) };
        match self.value.get(key) {
            Some(value) => Ok(Field { name, value }),
            None => Err(bad(name, "is missing")),
        }
    }

    fn text(&self) -> Result<&'a str, BadField> {
        self.value.as_str().ok_or_else(|| bad(&self.name, "is not a text"))
    }

    fn items(&self) -> Result<Vec<Field<'a>>, BadField> {
        let list = self.value.as_array().ok_or_else(|| bad(&self.name, "is not a list"))?;
        let item = |(idx, value)| Field { name: format!("{}[{idx}]", self.name), value };
        Ok(list.iter().enumerate().map(item).collect())
    }

    fn seat(&self) -> Result<Seat, BadField> {
        match self.text()? {
            "white" => Ok(Seat::FIRST),
            "black" => Ok(Seat::SECOND),
            other => Err(bad(&self.name, format!("{other:?} is neither white nor black"))),
        }
    }

    fn army(&self) -> Result<Army, BadField> {
        let mut units = Vec::new();
        for item in self.items()? {
            let name = item.text()?;
            let unit = Unit::from_name(name)
                .ok_or_else(|| bad(&item.name, format!("{name:?} is not a unit type")))?;
            units.push(unit);
        }
        let four = <[Unit; Army::LEN]>::try_from(units)
            .map_err(|units| bad(&self.name, format!("holds {} types, not 4", units.len())))?;
        Army::new(four).map_err(|error| bad(&self.name, error.to_string()))
    }
}

/// One game under comparison.
struct Replay<'a> {
    rules: WarChest,
    state: State,
    line: u64,
    report: &'a mut Report,
}

fn replay(game: &Value, line: u64, report: &mut Report) -> Result<(), BadField> {
    let game = Field { name: String::new(), value: game };
    let armies = [game.get("white")?.army()?, game.get("black")?.army()?];
    Army::check_disjoint(&armies).map_err(|error| bad("black", error.to_string()))?;
    let setup = Setup { armies, first: game.get("first")?.seat()? };
    let rules = WarChest::ranked();
    let mut replay = Replay { rules, state: rules.initial(&setup), line, report };
    replay.report.games += 1;
    for ply in game.get("plies")?.items()? {
        replay.report.plies += 1;
        replay.compare_state(&ply.name, &ply.get("state")?);
        replay.compare_turn(&ply)?;
        replay.compare_legal(&ply)?;
        replay.compare_perft(&ply)?;
        if !replay.play(&ply)? {
            return Ok(());
        }
    }
    replay.compare_end(&game)
}

impl Replay<'_> {
    fn note(&mut self, place: &str, what: String) {
        let line = self.line;
        self.report.first_mismatch.get_or_insert_with(|| format!("line {line}: {place}: {what}"));
    }

    fn compare_state(&mut self, place: &str, theirs: &Field) {
        let ours = state_json(&self.state);
        if let Some(what) = difference(&ours, theirs.value) {
            self.report.state_mismatches += 1;
            self.note(place, what);
        }
    }

    fn compare_turn(&mut self, ply: &Field) -> Result<(), BadField> {
        let actor = ply.get("actor")?.seat()?;
        let name = ply.get("decision")?;
        let decision = Decision::from_name(name.text()?)
            .ok_or_else(|| bad(&name.name, format!("{} is not a decision", name.value)))?;
        if self.state.decision() != Some(decision) || self.state.decider() != actor {
            let ours = (self.state.decision(), self.state.decider());
            self.report.state_mismatches += 1;
            let what = format!("ours {ours:?}, theirs {:?}", (decision, actor));
            self.note(&ply.name, what);
        }
        Ok(())
    }

    fn compare_legal(&mut self, ply: &Field) -> Result<(), BadField> {
        let mut theirs = Vec::new();
        for item in ply.get("legal")?.items()? {
            theirs.push(item.text()?);
        }
        theirs.sort();
        let mut ours: Vec<String> = possible(&self.rules, &self.state)
            .into_iter()
            .map(|action| self.rules.action_text(action))
            .collect();
        ours.sort();
        if ours != theirs {
            self.report.legal_mismatches += 1;
            let more: Vec<_> = ours.iter().filter(|a| !theirs.contains(&a.as_str())).collect();
            let less: Vec<_> = theirs.iter().filter(|a| !ours.iter().any(|o| o == *a)).collect();
            self.note(&ply.name, format!("legal only by us {more:?}, only by them {less:?}"));
        }
        Ok(())
    }

    fn compare_perft(&mut self, ply: &Field) -> Result<(), BadField> {
        if ply.value.get("perft").is_none() {
            return Ok(());
        }
        self.report.perft_plies += 1;
        let mut is_equal = true;
        for (idx, number) in ply.get("perft")?.items()?.iter().enumerate() {
            let theirs =
                number.value.as_u64().ok_or_else(|| bad(&number.name, "is not a number"))?;
            let ours = perft(&self.rules, &mut self.state, idx as u32 + 1);
            if ours != theirs {
                is_equal = false;
                self.note(&number.name, format!("ours {ours}, theirs {theirs}"));
            }
        }
        self.report.perft_mismatches += u64::from(!is_equal);
        Ok(())
    }

    /// Plays the recorded action; false when our rules do not allow it, so that the game ends here.
    fn play(&mut self, ply: &Field) -> Result<bool, BadField> {
        let play = ply.get("play")?;
        let action = self
            .rules
            .parse_action(play.text()?)
            .map_err(|error| bad(&play.name, error.to_string()))?;
        let is_ours = self.rules.play(&mut self.state, action).is_ok();
        if !is_ours {
            self.report.legal_mismatches += 1;
            self.note(&play.name, format!("{action} is not possible by our rules"));
        }
        Ok(is_ours)
    }

    fn compare_end(&mut self, game: &Field) -> Result<(), BadField> {
        let ours = match self.state.step() {
            Step::Over(Some(_)) => "six_markers",
            Step::Over(None) => "cap",
            _ => "none",
        };
        let theirs = game.get("end")?.text()?;
        let their_winner = game.get("winner")?.text()?;
        let is_equal = ours == theirs && winner_text(&self.state) == their_winner;
        if !is_equal {
            self.report.state_mismatches += 1;
            let our_winner = winner_text(&self.state);
            let what = format!("ours {ours} {our_winner}, theirs {theirs} {their_winner}");
            self.note("end", what);
        }
        self.compare_state("final", &game.get("final")?);
        Ok(())
    }
}

fn winner_text(state: &State) -> &'static str {
    match state.step() {
        Step::Over(Some(seat)) => seat_name(seat),
        _ => "none",
    }
}

/// The state in the form of the file, hexes in index order.
pub fn state_json(state: &State) -> Value {
    let mut board = Vec::new();
    let mut control = Map::new();
    for hex in Hex::all() {
        let stack = state.stack(hex);
        if let Some(unit) = state.unit_at(hex) {
            let owner = seat_name(stack.owner());
            board.push(json!([hex.to_string(), owner, unit.name(), stack.height()]));
        }
        for seat in Seat::BOTH.into_iter().filter(|seat| state.control(*seat).contains(hex)) {
            control.insert(hex.to_string(), json!(seat_name(seat)));
        }
    }
    json!({
        "board": board,
        "control": control,
        "white": zones_json(state, Seat::FIRST),
        "black": zones_json(state, Seat::SECOND),
        "initiative": seat_name(state.initiative()),
        "initiative_moved": state.initiative_moved(),
        "round": state.round(),
        "winner": winner_text(state),
    })
}

fn zones_json(state: &State, seat: Seat) -> Value {
    let coins = |coins: Coins| {
        let named = |slot| (state.army(seat).coin(slot).to_string(), json!(coins.count(slot)));
        Value::Object(coins.slots().map(named).collect())
    };
    let zones = state.zones(seat).named();
    Value::Object(zones.map(|(name, held)| (name.to_owned(), coins(held))).into_iter().collect())
}

/// The first field that differs, or `None`. The order of the board's units does not matter.
fn difference(ours: &Value, theirs: &Value) -> Option<String> {
    let (Some(our_fields), Some(their_fields)) = (ours.as_object(), theirs.as_object()) else {
        return Some("the state is not an object".to_owned());
    };
    if let Some(extra) = their_fields.keys().find(|key| !our_fields.contains_key(*key)) {
        return Some(format!("state.{extra} is a field we do not know"));
    }
    let differing = our_fields.iter().find(|(key, ours)| match their_fields.get(*key) {
        Some(theirs) => sorted(ours) != sorted(theirs),
        None => true,
    });
    differing.map(|(key, ours)| {
        format!(
            "state.{key}: ours {ours}, theirs {}",
            their_fields.get(key).unwrap_or(&Value::Null)
        )
    })
}

fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(list) = value.as_array_mut() {
        list.sort_by_key(Value::to_string);
    }
    value
}
