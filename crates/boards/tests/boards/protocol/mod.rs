//! Conversations, line by line.

use boards::protocol::{Asked, Clock, Dialect, Limits, Progress, Score, Session, Thinker};
use boards::{Chess, Xiangqi};
use game::{Notation, Rules};
use std::cell::RefCell;
use std::rc::Rc;

/// Answers with the last allowed action in the order of their texts, and keeps what it was asked.
struct Last<G> {
    rules: G,
    score: Score,
    asked: Rc<RefCell<Vec<(usize, usize, Limits)>>>,
    new_games: Rc<RefCell<usize>>,
}

impl<G: Notation> Thinker<G> for Last<G> {
    fn new_game(&mut self) {
        *self.new_games.borrow_mut() += 1;
    }

    fn think(&mut self, asked: &Asked<G>, tell: &mut dyn FnMut(Progress<G::Action>)) -> G::Action {
        let said = (asked.played.len(), asked.allowed.len(), asked.limits);
        self.asked.borrow_mut().push(said);
        let by_text = |action: &&G::Action| self.rules.action_text(**action);
        let best = *asked.allowed.iter().max_by_key(by_text).expect("an allowed action");
        let line = vec![best];
        tell(Progress { depth: 3, score: self.score, nodes: 42, elapsed_ms: 7, line });
        best
    }
}

struct Talk<G: Notation<Setup = ()>> {
    session: Session<G, Last<G>>,
    asked: Rc<RefCell<Vec<(usize, usize, Limits)>>>,
    new_games: Rc<RefCell<usize>>,
}

impl<G: Notation<Setup = ()>> Talk<G> {
    fn new(dialect: Dialect, rules: G, score: Score) -> Talk<G> {
        let (asked, new_games) = (Rc::default(), Rc::default());
        let thinker = Last {
            rules: rules.clone(),
            score,
            asked: Rc::clone(&asked),
            new_games: Rc::clone(&new_games),
        };
        Talk { session: Session::new(dialect, rules, thinker, "Muster"), asked, new_games }
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        let mut answer = Vec::new();
        self.session.take(line, &mut |line| answer.push(line));
        answer
    }
}

fn uci() -> Talk<Chess> {
    Talk::new(Dialect::Uci, Chess::default(), Score::Hundredths(-31))
}

fn ucci() -> Talk<Xiangqi> {
    Talk::new(Dialect::Ucci, Xiangqi::default(), Score::Hundredths(12))
}

#[test]
fn uci_greets_and_plays() {
    let mut talk = uci();
    let greeting = ["id name Muster", "id author the Muster maintainers", "uciok"];
    assert_eq!(talk.say("uci"), greeting);
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert!(talk.say("ucinewgame").is_empty());
    assert_eq!(*talk.new_games.borrow(), 1);
    assert!(talk.say("position startpos moves e2e4 e7e5").is_empty());
    let answer = talk.say("go depth 5");
    assert_eq!(answer, ["info depth 3 score cp -31 nodes 42 time 7 pv h2h4", "bestmove h2h4"]);
    assert_eq!(talk.asked.borrow()[0].0, 2);
    assert!(talk.say("quit").is_empty() && talk.session.is_over());
}

#[test]
fn uci_castles_as_the_king_moves() {
    let mut talk = uci();
    talk.say("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1");
    let text = Chess::default().position_text(talk.session.position());
    assert_eq!(text, "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
}

#[test]
fn uci_reads_the_clock_of_the_side_to_move() {
    let mut talk = uci();
    talk.say("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5");
    talk.say("position startpos moves e2e4");
    talk.say("go wtime 1000 btime 2000 winc 10 binc 20");
    talk.say("go movetime 300 nodes 9000");
    let asked = talk.asked.borrow();
    let white = Clock { left_ms: 1000, increment_ms: 10, moves_to_go: Some(5) };
    let black = Clock { left_ms: 2000, increment_ms: 20, moves_to_go: None };
    assert_eq!((asked[0].2.clock, asked[1].2.clock), (Some(white), Some(black)));
    let limits = Limits { move_time_ms: Some(300), nodes: Some(9000), ..Limits::default() };
    assert_eq!(asked[2].2, limits);
}

#[test]
fn uci_counts_mates_in_moves() {
    for (score, text) in [(Score::WinIn(3), "mate 2"), (Score::LossIn(2), "mate -1")] {
        let mut talk = Talk::new(Dialect::Uci, Chess::default(), score);
        assert!(talk.say("go depth 3")[0].contains(&format!(" score {text} ")));
    }
}

#[test]
fn ucci_greets_plays_and_leaves() {
    let mut talk = ucci();
    assert_eq!(talk.say("ucci").last().map(String::as_str), Some("ucciok"));
    assert!(talk.say("position startpos moves h2e2 h9g7").is_empty());
    let answer = talk.say("go time 60000 increment 1000");
    assert_eq!(answer, ["info time 7 nodes 42 depth 3 score 12 pv i3i4", "bestmove i3i4"]);
    let clock = Clock { left_ms: 60_000, increment_ms: 1000, moves_to_go: None };
    assert_eq!(talk.asked.borrow()[0].2.clock, Some(clock));
    assert_eq!(talk.say("quit"), ["bye"]);
}

#[test]
fn ucci_forbids_moves_until_the_next_position() {
    let mut talk = ucci();
    talk.say("position startpos");
    talk.say("banmoves i3i4 i0i2");
    assert_eq!(talk.say("go depth 1").last().map(String::as_str), Some("bestmove i0i1"));
    assert_eq!(talk.asked.borrow()[0].1, 42);
    talk.say("position startpos");
    assert_eq!(talk.say("go depth 1").last().map(String::as_str), Some("bestmove i3i4"));
}

#[test]
fn a_finished_game_has_no_move() {
    let mut talk = ucci();
    talk.say("position fen 3k5/9/9/9/9/9/9/9/8R/4K4 w moves i1i8");
    assert_eq!(talk.say("go depth 4"), ["nobestmove"]);
    let mut talk = uci();
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(talk.say("go depth 4"), ["bestmove 0000"]);
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut talk = uci();
    talk.say("position startpos moves e2e4");
    let before = talk.session.position().clone();
    let said = [
        ("position startpos moves e2e4 e7e6 e4e6", "ply 3: illegal action e4e6"),
        ("position startpos moves e2x4", "a move is two squares"),
        ("position fen 8/8/8/8/8/8/8/8 w - -", "white has 0 kings"),
        ("position", "startpos, or fen"),
        ("go depth many", "\"many\" after depth is no number"),
        ("go movetime", "a number is missing after movetime"),
    ];
    for (line, reason) in said {
        let answer = talk.say(line);
        assert!(answer.len() == 1 && answer[0].starts_with("info string error: "), "{answer:?}");
        assert!(answer[0].contains(reason), "{answer:?}");
    }
    assert_eq!(*talk.session.position(), before);
    assert!(talk.say("").is_empty() && talk.say("xyzzy").is_empty());
    assert_eq!(Chess::default().legal(&before).len(), 20);
}
