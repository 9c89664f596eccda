//! Positions made by hand: for tests of rules, beliefs and searches.

use crate::Zones;
use crate::{Army, Coin, Coins, Hex, HexSet, NoArmy, Setup, Stack, State, Step, Unit, WarChest};
use game::{InvalidState, Rules, Seat};

/// Builds a position piece by piece. It starts as white's turn in round 1 with an empty board, no coins anywhere,
/// the four starting markers, and the initiative with white.
#[derive(Clone, Copy, Debug)]
pub struct PositionBuilder {
    rules: WarChest,
    state: State,
}

impl PositionBuilder {
    /// `armies` are white's types, then black's.
    pub fn new(rules: &WarChest, armies: [[Unit; Army::LEN]; 2]) -> Result<Self, NoArmy> {
        let armies = [Army::new(armies[0])?, Army::new(armies[1])?];
        Army::check_disjoint(&armies)?;
        let setup = Setup { armies, first: Seat::FIRST };
        let mut state = rules.initial(&setup);
        state.zones = [Zones::default(); 2];
        state.step = Step::Main;
        Ok(PositionBuilder { rules: *rules, state })
    }

    /// Puts a stack on the board.
    ///
    /// # Panics
    /// When the army of `seat` has no such type.
    pub fn unit(mut self, seat: Seat, unit: Unit, at: Hex, height: u8) -> Self {
        let slot = self.state.army(seat).slot_of(unit).expect("the army has the type");
        self.state.set_stack(at, Stack::new(seat, slot, height));
        self
    }

    /// Adds coins to the zone of `seat` that `zone` picks.
    ///
    /// # Panics
    /// When the army of `seat` has no such coin.
    pub fn coins(
        mut self,
        seat: Seat,
        zone: impl Fn(&mut Zones) -> &mut Coins,
        coins: &[Coin],
    ) -> Self {
        for coin in coins {
            let slot = self.state.army(seat).coin_slot(*coin).expect("the army has the coin");
            let zone = zone(self.state.zones_mut(seat));
            *zone = *zone + Coins::one(slot);
        }
        self
    }

    /// Sets the locations that `seat` controls.
    pub fn control(mut self, seat: Seat, locations: HexSet) -> Self {
        self.state.set_control(seat, locations);
        self
    }

    /// Whose turn or draw it is, and what the position waits for.
    pub fn step(mut self, actor: Seat, step: Step) -> Self {
        self.state.actor = actor;
        self.state.step = step;
        self
    }

    pub fn initiative(mut self, seat: Seat, has_moved: bool) -> Self {
        self.state.initiative = seat;
        self.state.initiative_moved = has_moved;
        self
    }

    /// The round, counted from 1, and the coins used so far.
    pub fn progress(mut self, round: u16, coin_plays: u16) -> Self {
        self.state.round = round;
        self.state.coin_plays = coin_plays;
        self
    }

    /// The position, if the rules can go on from it.
    pub fn build(self) -> Result<State, InvalidState> {
        self.rules.validate(&self.state)?;
        Ok(self.state)
    }
}

/// Three positions that white cannot tell apart: white is to act with an Archer coin, and black's single hand coin
/// is a Pikeman, a Berserker or a Cavalry, in this order; the other two lie in its bag. Black's royal coin lies
/// face-up, so there is no fourth case. White has three targets.
pub fn three_worlds(rules: &WarChest) -> [State; 3] {
    const HIDDEN: [Unit; 3] = [Unit::Pikeman, Unit::Berserker, Unit::Cavalry];
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let hex = |x, y| Hex::from_site(x, y).expect("it lies on the board");
    let armies = [
        [Unit::Archer, Unit::Knight, Unit::Lancer, Unit::Scout],
        [Unit::Pikeman, Unit::Berserker, Unit::Cavalry, Unit::RoyalGuard],
    ];
    HIDDEN.map(|in_hand| {
        let in_bag: Vec<Coin> =
            HIDDEN.into_iter().filter(|unit| *unit != in_hand).map(Coin::of).collect();
        PositionBuilder::new(rules, armies)
            .expect("the armies are disjoint")
            .unit(white, Unit::Archer, hex(3, 3), 1)
            .unit(white, Unit::Knight, hex(4, 1), 1)
            .unit(black, Unit::Pikeman, hex(1, 3), 1)
            .unit(black, Unit::Berserker, hex(3, 5), 2)
            .unit(black, Unit::Cavalry, hex(1, 4), 1)
            .coins(white, |zones| &mut zones.hand, &[Unit::Archer.into()])
            .coins(white, |zones| &mut zones.bag, &[Unit::Knight.into(), Coin::ROYAL])
            .coins(black, |zones| &mut zones.hand, &[in_hand.into()])
            .coins(black, |zones| &mut zones.bag, &in_bag)
            .coins(black, |zones| &mut zones.discard_up, &[Coin::ROYAL])
            .progress(2, 10)
            .build()
            .expect("the rules can go on from it")
    })
}
