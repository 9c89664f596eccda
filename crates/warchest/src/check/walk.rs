//! Random games of every style, ply by ply, with both seats' observations. Holds the truth, as a referee does.

use crate::{
    Action, Army, Dealing, Decision, Hex, Pool, RoyalGuardCard, Setup, State, Unit, WarChest,
};
use game::{Appeal, Chance, Hidden, Observation, Rules, Seat, Stream, Tactical, Turn};

/// One game under way.
#[derive(Clone, Debug)]
pub struct Walk {
    pub rules: WarChest,
    pub start: State,
    pub state: State,
    pub plies: Vec<Action>,
    /// By seat.
    pub observations: [Observation<WarChest>; 2],
    pub stream: Stream,
    /// How much an appealing action is preferred.
    eagerness: u32,
    /// Seeks attacks, on a Royal Guard above all, and lets priests and guards meet.
    is_hunt: bool,
}

impl Walk {
    /// Game number `seed`: a fifth choose uniformly, the others prefer control and attacks; every fourth is a
    /// fight of Warrior Priests and others against a Royal Guard, every seventh has the Royal Guard's card of 2018.
    pub fn deal(seed: u64) -> Walk {
        let royal_guard =
            if seed % 7 == 6 { RoyalGuardCard::Printed2018 } else { RoyalGuardCard::Revised };
        let rules = WarChest { royal_guard, ..WarChest::ranked() };
        let mut stream = Stream::from_seed(seed);
        let is_hunt = seed % 4 == 3;
        let setup = if is_hunt { priests_and_guard(&mut stream) } else { rules.deal(&mut stream) };
        let eagerness = if seed.is_multiple_of(5) { 1 } else { 12 };
        let walk = Walk::from(rules, rules.initial(&setup), stream, eagerness);
        Walk { is_hunt, ..walk }
    }

    /// Game number `seed` under options that follow from it too: pool, Royal Guard's card and every way to deal,
    /// in each of the styles.
    pub fn under_any_options(seed: u64) -> Walk {
        let royal_guard =
            if seed % 3 == 2 { RoyalGuardCard::Printed2018 } else { RoyalGuardCard::Revised };
        let pool = if seed % 5 == 4 { Pool::Base } else { Pool::Ranked };
        let dealing = Dealing::ALL[(seed / 8) as usize % Dealing::ALL.len()];
        let rules = WarChest { royal_guard, pool, dealing, ..WarChest::default() };
        let mut stream = Stream::from_seed(seed);
        let is_hunt = seed % 8 == 7 && pool == Pool::Ranked;
        let setup = if is_hunt { priests_and_guard(&mut stream) } else { rules.deal(&mut stream) };
        let eagerness = if seed.is_multiple_of(4) { 1 } else { 12 };
        let walk = Walk::from(rules, rules.initial(&setup), stream, eagerness);
        Walk { is_hunt, ..walk }
    }

    /// A game that goes on from any position.
    pub fn from(rules: WarChest, start: State, stream: Stream, eagerness: u32) -> Walk {
        let observations = Seat::BOTH.map(|seat| Observation::begin(seat, rules.now(&start, seat)));
        Walk {
            rules,
            start,
            state: start,
            plies: Vec::new(),
            observations,
            stream,
            eagerness,
            is_hunt: false,
        }
    }

    /// Plays one ply; false once the game is over.
    pub fn step(&mut self) -> bool {
        let action = match self.rules.turn(&self.state) {
            Turn::Over => return false,
            Turn::Chance => self.rules.draw(&self.state, &mut self.stream),
            Turn::Seat(seat) => self.choose(seat),
        };
        let before = self.state;
        self.rules.apply(&mut self.state, action);
        self.plies.push(action);
        for observation in &mut self.observations {
            let seat = observation.seat();
            let event = self.rules.event(&before, action, seat);
            observation.extend(event, self.rules.now(&self.state, seat));
        }
        true
    }

    fn choose(&mut self, seat: Seat) -> Action {
        let legal = self.rules.legal(&self.state);
        let now = self.rules.now(&self.state, seat);
        let weights: Vec<u32> = legal
            .iter()
            .map(|action| {
                if self.is_hunt {
                    return hunt_weight(&self.state, *action);
                }
                match self.rules.appeal(&now, *action) {
                    Appeal::Control => 1 + 4 * (self.eagerness - 1),
                    Appeal::Attack => 1 + 2 * (self.eagerness - 1),
                    Appeal::Advance(_) => 1 + self.eagerness / 3,
                    Appeal::Plain => 1,
                }
            })
            .collect();
        let mut left = self.stream.below(weights.iter().sum());
        for (action, weight) in legal.iter().zip(weights) {
            if left < weight {
                return *action;
            }
            left -= weight;
        }
        unreachable!("some action has the drawn weight")
    }

    pub fn decision(&self) -> Option<Decision> {
        self.state.decision()
    }
}

/// How much a hunt wants an action.
fn hunt_weight(state: &State, action: Action) -> u32 {
    let is_guard = |hex: Hex| state.unit_at(hex) == Some(Unit::RoyalGuard);
    let to_enemy = |hex: Hex| {
        let enemies = state.occupied_by(state.decider().other());
        enemies.into_iter().map(|enemy| hex.distance(enemy)).min().unwrap_or(0)
    };
    match action {
        Action::Attack { from, target } | Action::TacticMarshal { from, target } => {
            let is_priest = state.unit_at(from).is_some_and(Unit::is_warrior_priest);
            20 + 60 * u32::from(is_guard(target)) + 40 * u32::from(is_priest)
        }
        Action::CavalryAttack { .. }
        | Action::FootmanAttack { .. }
        | Action::BerserkerAttack { .. }
        | Action::MercenaryAttack { .. } => 20,
        Action::Move { from, to }
        | Action::FootmanMove { from, to }
        | Action::MercenaryMove { from, to } => 1 + 8 * u32::from(to_enemy(to) < to_enemy(from)),
        Action::Deploy { .. } | Action::FootmanV2Deploy { .. } => 10,
        Action::Bolster { .. } | Action::TacticFootman { .. } => 4,
        // What stays in the supply can be lost from there.
        Action::Recruit { unit, .. } if unit != Unit::RoyalGuard => 3,
        _ => 1,
    }
}

/// Armies in which a Warrior Priest's attack on a Royal Guard is likely, and every attribute is about.
fn priests_and_guard(stream: &mut Stream) -> Setup {
    use Unit::*;
    let mut armies = [
        Army::new([WarriorPriest, WarriorPriestV2, Marshal, FootmanV2]).unwrap(),
        Army::new([RoyalGuard, Swordsman, Mercenary, BerserkerV2]).unwrap(),
    ];
    stream.shuffle(&mut armies);
    Setup { armies, first: Seat::new(stream.below(2) as u8) }
}
