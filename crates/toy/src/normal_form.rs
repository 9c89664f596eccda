//! Games of one choice each, made at the same time: played in seat order, the first choice hidden.

use crate::line::{Act, Sight};
use crate::small::SmallGame;
use game::{Seat, Turn, Utility};

/// A two-player game given by its payoffs.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalForm {
    name: &'static str,
    rows: Vec<&'static str>,
    columns: Vec<&'static str>,
    /// `[first seat, second seat]`, row by row.
    payoffs: Vec<[f64; 2]>,
}

impl NormalForm {
    /// All that have a name here.
    pub fn named() -> Vec<NormalForm> {
        vec![
            rock_paper_scissors(),
            weighted_rock_paper_scissors(),
            rock_paper_scissors_lizard_spock(),
            matching_pennies(),
            prisoners_dilemma(),
            battle_of_the_sexes(),
            chicken(),
            shapleys_game(),
        ]
    }

    /// The one with this name.
    pub fn by_name(name: &str) -> Option<NormalForm> {
        NormalForm::named().into_iter().find(|game| game.name == name)
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// What the first seat gets from its choice `row` against `column`, and the second seat.
    pub fn payoff(&self, row: usize, column: usize) -> [f64; 2] {
        self.payoffs[row * self.columns.len() + column]
    }

    /// The names of the first seat's choices.
    pub fn rows(&self) -> &[&'static str] {
        &self.rows
    }

    /// The names of the second seat's choices.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    fn zero_sum(name: &'static str, choices: &[&'static str], first: &[f64]) -> NormalForm {
        let payoffs = first.iter().map(|value| [*value, 0.0 - *value]).collect();
        NormalForm { name, rows: choices.to_vec(), columns: choices.to_vec(), payoffs }
    }
}

fn rock_paper_scissors() -> NormalForm {
    let payoffs = [0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0];
    NormalForm::zero_sum("rock-paper-scissors", &["rock", "paper", "scissors"], &payoffs)
}

/// Rock against scissors counts double: rock 1/4, paper 1/2, scissors 1/4 is the only equilibrium.
fn weighted_rock_paper_scissors() -> NormalForm {
    let payoffs = [0.0, -1.0, 2.0, 1.0, 0.0, -1.0, -2.0, 1.0, 0.0];
    NormalForm::zero_sum("weighted-rock-paper-scissors", &["rock", "paper", "scissors"], &payoffs)
}

/// Sam Kass and Karen Bryla's extension: each beats two of the others.
fn rock_paper_scissors_lizard_spock() -> NormalForm {
    let choices = ["rock", "paper", "scissors", "spock", "lizard"];
    // In this order each loses to the next and to the one three further on.
    let payoff = |row: usize, column: usize| match (column + 5 - row) % 5 {
        0 => 0.0,
        1 | 3 => -1.0,
        _ => 1.0,
    };
    let payoffs: Vec<f64> = (0..25).map(|cell| payoff(cell / 5, cell % 5)).collect();
    NormalForm::zero_sum("rock-paper-scissors-lizard-spock", &choices, &payoffs)
}

fn matching_pennies() -> NormalForm {
    NormalForm::zero_sum("matching-pennies", &["heads", "tails"], &[1.0, -1.0, -1.0, 1.0])
}

fn symmetric(name: &'static str, choices: &[&'static str], first: &[f64]) -> NormalForm {
    let n = choices.len();
    let payoffs = (0..n * n).map(|cell| [first[cell], first[cell % n * n + cell / n]]).collect();
    NormalForm { name, rows: choices.to_vec(), columns: choices.to_vec(), payoffs }
}

/// Axelrod's payoffs: reward 3, temptation 5, punishment 1, sucker's payoff 0.
fn prisoners_dilemma() -> NormalForm {
    symmetric("prisoners-dilemma", &["cooperate", "defect"], &[3.0, 0.0, 5.0, 1.0])
}

/// Both want to meet, each at its own place (Luce, Raiffa, Games and decisions, 1957).
fn battle_of_the_sexes() -> NormalForm {
    NormalForm {
        name: "battle-of-the-sexes",
        rows: vec!["ballet", "fight"],
        columns: vec!["ballet", "fight"],
        payoffs: vec![[2.0, 1.0], [0.0, 0.0], [0.0, 0.0], [1.0, 2.0]],
    }
}

/// Aumann's payoffs (Correlated equilibrium as an expression of Bayesian rationality, 1987): a correlated equilibrium
/// gives both more than any equilibrium that treats them alike.
fn chicken() -> NormalForm {
    symmetric("chicken", &["dare", "yield"], &[0.0, 7.0, 2.0, 6.0])
}

/// Fictitious play never settles (Shapley, Some topics in two-person games, 1964).
fn shapleys_game() -> NormalForm {
    let first = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let second = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    NormalForm {
        name: "shapleys-game",
        rows: vec!["top", "middle", "bottom"],
        columns: vec!["left", "centre", "right"],
        payoffs: (0..9).map(|cell| [first[cell], second[cell]]).collect(),
    }
}

/// Acts are the first seat's choices, then the second seat's.
impl SmallGame for NormalForm {
    const NAME: &'static str = "normal-form";

    fn name(&self) -> &'static str {
        self.name
    }

    fn is_zero_sum(&self) -> bool {
        self.payoffs.iter().all(|[first, second]| first + second == 0.0)
    }

    fn plies_max(&self) -> usize {
        2
    }

    fn n_acts(&self) -> usize {
        self.n_rows() + self.n_columns()
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        match acts.len() {
            0 => Turn::Seat(Seat::FIRST),
            1 => Turn::Seat(Seat::SECOND),
            _ => Turn::Over,
        }
    }

    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act)) {
        let choices = if acts.is_empty() { 0..self.n_rows() } else { self.n_rows()..self.n_acts() };
        choices.for_each(|choice| each(Act(choice as u8)));
    }

    fn outcomes(&self, _: &[Act], _: &mut dyn FnMut(Act, u32)) {}

    fn utility(&self, acts: &[Act]) -> Utility {
        let column = usize::from(acts[1].0) - self.n_rows();
        Utility::new(&self.payoff(usize::from(acts[0].0), column))
    }

    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        Sight::only_if(before.len() == seat.idx(), act)
    }

    fn act_text(&self, act: Act) -> String {
        let choice = usize::from(act.0);
        match choice.checked_sub(self.n_rows()) {
            None => self.rows[choice].to_owned(),
            Some(column) => format!("{}'", self.columns[column]),
        }
    }

    fn parameters(&self) -> String {
        format!("payoffs={:?}", self.payoffs)
    }
}
