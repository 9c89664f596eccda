//! A conversation with one program.

use super::dialect::Dialect;
use super::limits::Limits;
use super::thinker::{Asked, Progress, Thinker};
use game::{Notation, Turn};

/// One conversation. Lines that say nothing in the protocol are passed over, as both protocols ask; a line that is
/// understood and wrong is answered with `info string error: …` (in UCCI `info message error: …`) and changes nothing.
pub struct Session<G: Notation<Setup = ()>, T: Thinker<G>> {
    dialect: Dialect,
    rules: G,
    thinker: T,
    name: String,
    start: G::State,
    played: Vec<G::Action>,
    position: G::State,
    banned: Vec<G::Action>,
    is_over: bool,
}

impl<G: Notation<Setup = ()>, T: Thinker<G>> Session<G, T> {
    /// At the beginning of a game. `name` is what the program calls itself.
    pub fn new(dialect: Dialect, rules: G, thinker: T, name: &str) -> Session<G, T> {
        let start = rules.initial(&());
        Session {
            dialect,
            rules,
            thinker,
            name: name.to_owned(),
            position: start.clone(),
            start,
            played: Vec::new(),
            banned: Vec::new(),
            is_over: false,
        }
    }

    /// Whether `quit` was said.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The position that was last set.
    pub fn position(&self) -> &G::State {
        &self.position
    }

    /// Takes one line and says what to answer, line by line, while it thinks.
    pub fn take(&mut self, line: &str, say: &mut dyn FnMut(String)) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return };
        let done = match (self.dialect, command) {
            (dialect, greeting) if greeting == dialect.greeting() => {
                say(format!("id name {}", self.name));
                say("id author the Muster maintainers".to_owned());
                say(dialect.greeted().to_owned());
                Ok(())
            }
            (_, "isready") => {
                say("readyok".to_owned());
                Ok(())
            }
            (Dialect::Uci, "ucinewgame") => {
                self.thinker.new_game();
                Ok(())
            }
            (_, "position") => self.set_position(rest),
            (Dialect::Ucci, "banmoves") => self.ban(rest),
            (_, "go") => self.go(rest, say),
            (dialect, "quit") => {
                self.is_over = true;
                if dialect == Dialect::Ucci {
                    say("bye".to_owned());
                }
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(reason) = done {
            let kind = if self.dialect == Dialect::Uci { "string" } else { "message" };
            say(format!("info {kind} error: {reason}"));
        }
    }

    /// `startpos` or `fen` and a position, then perhaps `moves` and the moves.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match words[..end] {
            ["startpos"] => self.rules.initial(&()),
            ["fen", ref fields @ ..] => self
                .rules
                .parse_position(&fields.join(" "))
                .map_err(|refused| refused.to_string())?,
            _ => return Err("position needs startpos, or fen and a position".to_owned()),
        };
        let mut position = start.clone();
        let mut played = Vec::new();
        for text in words.iter().skip(end + 1) {
            let action = self.rules.parse_action(text).map_err(|refused| refused.to_string())?;
            self.rules
                .play(&mut position, action)
                .map_err(|refused| format!("ply {}: {refused}", played.len() + 1))?;
            played.push(action);
        }
        (self.start, self.played, self.position) = (start, played, position);
        self.banned.clear();
        Ok(())
    }

    fn ban(&mut self, texts: &[&str]) -> Result<(), String> {
        let parsed: Result<Vec<_>, _> =
            texts.iter().map(|text| self.rules.parse_action(text)).collect();
        self.banned = parsed.map_err(|refused| refused.to_string())?;
        Ok(())
    }

    fn go(&mut self, words: &[&str], say: &mut dyn FnMut(String)) -> Result<(), String> {
        let Turn::Seat(seat) = self.rules.turn(&self.position) else {
            say(self.dialect.no_move().to_owned());
            return Ok(());
        };
        let limits = Limits::parse(self.dialect, words, seat)?;
        let mut allowed = self.rules.legal(&self.position);
        allowed.retain(|action| !self.banned.contains(action));
        if allowed.is_empty() {
            say(self.dialect.no_move().to_owned());
            return Ok(());
        }
        let asked = Asked {
            start: &self.start,
            played: &self.played,
            position: &self.position,
            allowed: &allowed,
            limits,
        };
        let (dialect, rules) = (self.dialect, &self.rules);
        let best = self.thinker.think(&asked, &mut |progress| {
            say(progress_text(dialect, rules, &progress));
        });
        say(format!("bestmove {}", self.rules.action_text(best)));
        Ok(())
    }
}

fn progress_text<G: Notation>(
    dialect: Dialect,
    rules: &G,
    progress: &Progress<G::Action>,
) -> String {
    let Progress { depth, nodes, elapsed_ms, .. } = progress;
    let score = dialect.score_text(progress.score);
    let line: Vec<String> = progress.line.iter().map(|ply| rules.action_text(*ply)).collect();
    let line = line.join(" ");
    match dialect {
        Dialect::Uci => {
            format!("info depth {depth} score {score} nodes {nodes} time {elapsed_ms} pv {line}")
        }
        Dialect::Ucci => {
            format!("info time {elapsed_ms} nodes {nodes} depth {depth} score {score} pv {line}")
        }
    }
}
