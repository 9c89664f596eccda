//! What happens to hidden coins in ways that play seldom shows, one case each, with probabilities found by hand. White
//! is watched by black.

use game::{Hidden, ModelFree, Observation, Rules, Seat};
use num_bigint::BigUint;
use warchest::fixture::PositionBuilder;
use warchest::{
    Action, Coin, Coins, Concealed, ExactUniform, Hex, HexSet, LabelledUniform, State, Unit,
    WarChest,
};

/// White's slots.
const ARCHER: usize = 0;
const BERSERKER: usize = 1;
const ROYAL: usize = 4;
const WHITE: [Unit; 4] = [Unit::Archer, Unit::Berserker, Unit::RoyalGuard, Unit::WarriorPriest];
const BLACK: [Unit; 4] = [Unit::Cavalry, Unit::Lancer, Unit::Scout, Unit::Swordsman];

fn hex(x: i8, y: i8) -> Hex {
    Hex::from_site(x, y).expect("it lies on the board")
}

struct Watched {
    rules: WarChest,
    state: State,
    observation: Observation<WarChest>,
}

impl Watched {
    fn begin(build: impl FnOnce(PositionBuilder) -> PositionBuilder) -> Watched {
        let rules = WarChest::default();
        let state = build(PositionBuilder::new(&rules, [WHITE, BLACK]).unwrap()).build().unwrap();
        let observation = Observation::begin(Seat::SECOND, rules.now(&state, Seat::SECOND));
        Watched { rules, state, observation }
    }

    fn play(&mut self, action: Action) {
        let event = self.rules.event(&self.state, action, Seat::SECOND);
        self.rules.play(&mut self.state, action).unwrap();
        self.observation.extend(event, self.rules.now(&self.state, Seat::SECOND));
    }

    fn exact(&self) -> Vec<(Concealed, BigUint)> {
        ExactUniform.infer(&self.rules, &self.observation).unwrap().weighted()
    }

    fn labelled(&self) -> Vec<(Concealed, BigUint)> {
        LabelledUniform.infer(&self.rules, &self.observation).unwrap().weighted()
    }
}

/// Asserts that what holds has probability `numerator / denominator`.
fn assert_probability(
    weighted: &[(Concealed, BigUint)],
    holds: impl Fn(&Concealed) -> bool,
    [numerator, denominator]: [u32; 2],
) {
    let total: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    let held: BigUint = weighted.iter().filter(|(c, _)| holds(c)).map(|(_, weight)| weight).sum();
    assert_eq!(held * denominator, total * numerator, "{weighted:?}");
}

/// White's Warrior Priest at 3,3 beside a Scout; hand the priest's coin, bag an Archer and the royal coin.
fn priest() -> Watched {
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let coins = [Coin::of(Unit::Archer), Coin::ROYAL];
    Watched::begin(|position| {
        position
            .unit(white, Unit::WarriorPriest, hex(3, 3), 1)
            .unit(black, Unit::Scout, hex(2, 3), 1)
            .coins(white, |zones| &mut zones.hand, &[Unit::WarriorPriest.into()])
            .coins(white, |zones| &mut zones.bag, &coins)
            .coins(black, |zones| &mut zones.hand, &[Unit::Cavalry.into()])
            .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
    })
}

/// The drawn coin is in flight: the Archer's or the royal coin. With the Archer's, white can deploy at its two starts
/// or pass; with the royal coin it can only pass. So a pass is three times as likely to have been the royal coin.
#[test]
fn a_warrior_priests_coin_spent_face_down_is_judged_by_what_else_it_could_do() {
    let mut game = priest();
    game.play(Action::Attack { from: hex(3, 3), target: hex(2, 3) });
    game.play(Action::Draw { coin: Coin::ROYAL });
    let in_flight = |slot: usize| move |c: &Concealed| c.drawn == Coins::one(slot);
    assert_probability(&game.exact(), in_flight(ROYAL), [1, 2]);
    assert_probability(&game.labelled(), in_flight(ROYAL), [1, 2]);
    game.play(Action::Pass { coin: Coin::ROYAL });
    let face_down = |slot: usize| move |c: &Concealed| c.discard_down == Coins::one(slot);
    assert_probability(&game.exact(), face_down(ROYAL), [3, 4]);
    assert_probability(&game.labelled(), face_down(ROYAL), [1, 2]);
    assert!(game.exact().iter().all(|(c, _)| c.drawn.is_empty() && c.hand.is_empty()));
}

#[test]
fn a_warrior_priests_coin_used_openly_is_known() {
    let mut game = priest();
    game.play(Action::Attack { from: hex(3, 3), target: hex(2, 3) });
    game.play(Action::Draw { coin: Coin::of(Unit::Archer) });
    assert_eq!(game.exact().len(), 2);
    game.play(Action::Deploy { unit: Unit::Archer, at: hex(4, 0) });
    let only = Concealed::default();
    assert_eq!(game.exact(), [(only, BigUint::from(1u32))]);
}

/// With an empty bag the priest draws from the discards, its own coin of this turn among them, and the discards that
/// lay face-down are in the bag from then on.
#[test]
fn a_warrior_priest_refills_the_bag() {
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let mut game = Watched::begin(|position| {
        position
            .unit(white, Unit::WarriorPriest, hex(3, 3), 1)
            .unit(black, Unit::Scout, hex(2, 3), 1)
            .coins(white, |zones| &mut zones.hand, &[Unit::WarriorPriest.into()])
            .coins(white, |zones| &mut zones.discard_down, &[Coin::ROYAL])
            .coins(black, |zones| &mut zones.hand, &[Unit::Cavalry.into()])
            .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
    });
    // One of the priest's and the royal coin is in the hand, the other lies face-down.
    assert_eq!(game.exact().len(), 2);
    game.play(Action::Attack { from: hex(3, 3), target: hex(2, 3) });
    assert_eq!(game.exact().len(), 1);
    game.play(Action::Draw { coin: Coin::ROYAL });
    let is_royal = |c: &Concealed| c.drawn == Coins::one(ROYAL);
    assert_probability(&game.exact(), is_royal, [1, 2]);
    assert!(game.exact().iter().all(|(c, _)| c.discard_down.is_empty()));
}

/// What a Royal Guard loses is open, and no evidence of what its owner hides.
#[test]
fn a_royal_guards_loss_changes_nothing_that_is_hidden() {
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let coins = [Coin::of(Unit::Archer), Coin::of(Unit::Berserker), Coin::ROYAL];
    for from_supply in [true, false] {
        let mut game = Watched::begin(|position| {
            position
                .unit(white, Unit::RoyalGuard, hex(3, 3), 2)
                .unit(black, Unit::Scout, hex(2, 3), 1)
                .coins(white, |zones| &mut zones.supply, &[Unit::RoyalGuard.into()])
                .coins(white, |zones| &mut zones.hand, &coins[..1])
                .coins(white, |zones| &mut zones.bag, &coins[1..])
                .coins(black, |zones| &mut zones.hand, &[Unit::Scout.into()])
                .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
                .step(black, warchest::Step::Main)
        });
        game.play(Action::Attack { from: hex(2, 3), target: hex(3, 3) });
        let (exact, labelled) = (game.exact(), game.labelled());
        assert_eq!(exact.len(), 3);
        game.play(Action::RoyalGuardLose { from_supply });
        assert_eq!((game.exact(), game.labelled()), (exact, labelled));
        assert_eq!(game.observation.now().opponent.supply.is_empty(), from_supply);
    }
}

/// The Royal Guard's tactic shows the royal coin. Then one coin is left in the hand, the Archer's or the Berserker's;
/// with either white could have done as much, so that both stay equally likely.
#[test]
fn a_royal_guards_tactic_shows_the_royal_coin() {
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let (archer, berserker) = (Coin::of(Unit::Archer), Coin::of(Unit::Berserker));
    let mut game = Watched::begin(|position| {
        position
            .unit(white, Unit::RoyalGuard, hex(3, 3), 1)
            .control(white, HexSet::of(hex(3, 2)).with(hex(4, 0)))
            .coins(white, |zones| &mut zones.hand, &[archer, Coin::ROYAL])
            .coins(white, |zones| &mut zones.bag, &[berserker])
            .coins(black, |zones| &mut zones.hand, &[Unit::Scout.into()])
            .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
    });
    assert_eq!(game.exact().len(), 3);
    game.play(Action::TacticRoyalGuard { from: hex(3, 3), to: hex(3, 2) });
    for weighted in [game.exact(), game.labelled()] {
        assert_eq!(weighted.len(), 2);
        assert_probability(&weighted, |c| c.hand == Coins::one(ARCHER), [1, 2]);
    }
}

/// A Berserker's payment lies face-up and comes back at the next refill: after it, white's three coins are known.
#[test]
fn what_a_berserker_pays_comes_back_with_the_refill() {
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let mut game = Watched::begin(|position| {
        position
            .unit(white, Unit::Berserker, hex(3, 3), 2)
            .coins(white, |zones| &mut zones.hand, &[Unit::Berserker.into()])
            .coins(white, |zones| &mut zones.bag, &[Coin::ROYAL])
            .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
    });
    assert_eq!(game.exact().len(), 2);
    game.play(Action::Move { from: hex(3, 3), to: hex(3, 4) });
    assert_eq!(game.exact().len(), 1);
    game.play(Action::BerserkerMove { from: hex(3, 4), to: hex(3, 3) });
    assert_eq!(game.observation.now().opponent.discard_up, Coins::from_counts([0, 2, 0, 0, 0]));
    for coin in [Coin::ROYAL, Coin::of(Unit::Berserker), Coin::of(Unit::Berserker)] {
        game.play(Action::Draw { coin });
    }
    let hand = Coins::one(BERSERKER) + Coins::one(BERSERKER) + Coins::one(ROYAL);
    let only = Concealed { hand, ..Concealed::default() };
    assert_eq!(game.exact(), [(only, BigUint::from(1u32))]);
}
