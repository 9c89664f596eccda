//! What happened to the coins of one seat, as a list of steps in which the hidden ones can be chosen anew.

use crate::{Action, Coins, State, WarChest, Zones};
use game::{Rules, Seat};

/// A hidden place other than the bag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Hand,
    Flight,
    DiscardDown,
}

/// One thing that happened to the seat's coins. Those that name no slot move a hidden coin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// A coin lay there before the first ply.
    Start(Place),
    Draw {
        ply_idx: usize,
        to: Place,
    },
    /// A coin left the hand or flight and lies face-down.
    UseHidden {
        ply_idx: usize,
        from: Place,
    },
    /// A coin left the hand or flight and all saw it; whether it now lies face-up.
    UseShown {
        slot: usize,
        from: Place,
        is_discarded: bool,
    },
    /// A coin came into the face-up discards from elsewhere.
    Discarded(usize),
    /// A coin left the face-up discards.
    Retrieved(usize),
}

/// Everything that happened to one seat's coins, and which of it was forced by what all saw.
pub(super) struct Script {
    pub seat: Seat,
    pub items: Vec<Item>,
    /// All coins of the start that are hidden, and those that lie face-up.
    pub reserve: Coins,
    pub discard_up: Coins,
    /// By item: how often the bag had been refilled after it. The refills are public.
    pub cycles: Vec<usize>,
    /// By item: the round it belongs to.
    rounds: Vec<u16>,
    /// By item: the slot of its coin in the real game.
    slots: Vec<usize>,
    end: Zones,
    /// By item: what the hand must still show in this round, this item included.
    pub hand_needs: Vec<Coins>,
    /// By item: how many draws into the hand are left in this round, this one included.
    pub draws_left: Vec<u32>,
    /// By item: whether the rest of this round's draws come from this cycle's bag.
    pub is_round_closed: Vec<bool>,
    /// By item: what this cycle's bag must still give after this round's draws.
    pub later_needs: Vec<Coins>,
}

impl Script {
    /// Replays the real game and notes what happened to the coins of `seat`.
    pub fn read(rules: &WarChest, start: &State, plies: &[Action], seat: Seat) -> Script {
        let zones = start.zones(seat);
        let mut script = Script {
            seat,
            items: Vec::with_capacity(plies.len()),
            reserve: zones.bag + zones.hand + zones.discard_down + zones.drawn,
            discard_up: zones.discard_up,
            cycles: Vec::new(),
            rounds: Vec::new(),
            slots: Vec::new(),
            end: *zones,
            hand_needs: Vec::new(),
            draws_left: Vec::new(),
            is_round_closed: Vec::new(),
            later_needs: Vec::new(),
        };
        let starts = [
            (Place::Flight, zones.drawn),
            (Place::Hand, zones.hand),
            (Place::DiscardDown, zones.discard_down),
        ];
        for (place, coins) in starts {
            for slot in coins.slots() {
                for _ in 0..coins.count(slot) {
                    script.push(Item::Start(place), slot, start.round(), 0);
                }
            }
        }
        script.read_plies(rules, start, plies);
        script.find_needs();
        script
    }

    fn push(&mut self, item: Item, slot: usize, round: u16, cycle: usize) {
        self.items.push(item);
        self.slots.push(slot);
        self.rounds.push(round);
        self.cycles.push(cycle);
    }

    fn read_plies(&mut self, rules: &WarChest, start: &State, plies: &[Action]) {
        let mut state = *start;
        let mut cycle = 0;
        for (ply_idx, action) in plies.iter().enumerate() {
            let (before, round) = (*state.zones(self.seat), state.round());
            let is_draw = matches!(action, Action::Draw { .. }) && state.actor() == self.seat;
            cycle += usize::from(is_draw && before.bag.is_empty());
            rules.apply(&mut state, *action);
            let after = *state.zones(self.seat);
            if is_draw {
                let (slot, to) = match gained(before.drawn, after.drawn) {
                    Some(slot) => (slot, Place::Flight),
                    None => (gained(before.hand, after.hand).unwrap_or_default(), Place::Hand),
                };
                self.push(Item::Draw { ply_idx, to }, slot, round, cycle);
            } else {
                self.read_use(&before, &after, ply_idx, round, cycle);
            }
        }
        self.end = *state.zones(self.seat);
    }

    fn read_use(
        &mut self,
        before: &Zones,
        after: &Zones,
        ply_idx: usize,
        round: u16,
        cycle: usize,
    ) {
        let mut discard_up = before.discard_up;
        let from_hand = gained(after.hand, before.hand).map(|slot| (slot, Place::Hand));
        let from_flight = gained(after.drawn, before.drawn).map(|slot| (slot, Place::Flight));
        if let Some((slot, from)) = from_hand.or(from_flight) {
            if before.discard_down != after.discard_down {
                self.push(Item::UseHidden { ply_idx, from }, slot, round, cycle);
            } else {
                let is_discarded = gained(discard_up, after.discard_up) == Some(slot);
                let item = Item::UseShown { slot, from, is_discarded };
                self.push(item, slot, round, cycle);
                if is_discarded {
                    discard_up = discard_up + Coins::one(slot);
                }
            }
        }
        if let Some(slot) = gained(discard_up, after.discard_up) {
            self.push(Item::Discarded(slot), slot, round, cycle);
        }
        if let Some(slot) = gained(after.discard_up, discard_up) {
            self.push(Item::Retrieved(slot), slot, round, cycle);
        }
    }

    /// One pass from the end: what has to be shown later limits what may be drawn and hidden before.
    fn find_needs(&mut self) {
        let n = self.items.len();
        self.hand_needs = vec![Coins::NONE; n];
        self.draws_left = vec![0; n];
        self.is_round_closed = vec![true; n];
        self.later_needs = vec![Coins::NONE; n];
        let (mut hand_need, mut draws_left, mut is_closed) = (Coins::NONE, 0, true);
        let mut later_need = Coins::NONE;
        for idx in (0..n).rev() {
            let next = idx + 1;
            if next < n && self.rounds[next] != self.rounds[idx] {
                // Only a round that drew all its coins from this bag makes demands on it.
                if is_closed && self.cycles[next] == self.cycles[idx] {
                    later_need = later_need + hand_need;
                }
                (hand_need, draws_left, is_closed) = (Coins::NONE, 0, true);
            }
            if next < n && self.cycles[next] != self.cycles[idx] {
                later_need = Coins::NONE;
                is_closed = draws_left == 0;
            }
            match self.items[idx] {
                Item::UseShown { slot, from: Place::Hand, .. } => {
                    hand_need = hand_need + Coins::one(slot);
                }
                Item::Draw { to: Place::Hand, .. } | Item::Start(Place::Hand) => draws_left += 1,
                _ => {}
            }
            self.hand_needs[idx] = hand_need;
            self.draws_left[idx] = draws_left;
            self.is_round_closed[idx] = is_closed;
            self.later_needs[idx] = later_need;
            if let Some(slot) = self.shown_flight(idx) {
                later_need = later_need + Coins::one(slot);
            }
        }
    }

    /// The slot of the coin that comes into flight here, if it is shown when it is used.
    pub fn shown_flight(&self, idx: usize) -> Option<usize> {
        if !matches!(
            self.items[idx],
            Item::Draw { to: Place::Flight, .. } | Item::Start(Place::Flight)
        ) {
            return None;
        }
        self.items[idx..].iter().find_map(|item| match item {
            Item::UseShown { slot, from: Place::Flight, .. } => Some(Some(*slot)),
            Item::UseHidden { from: Place::Flight, .. } => Some(None),
            _ => None,
        })?
    }

    pub fn real_slots(&self) -> &[usize] {
        &self.slots
    }

    /// The hidden zones at the end of the real game.
    pub fn real_end(&self) -> [Coins; 3] {
        [self.end.hand, self.end.drawn, self.end.discard_down]
    }

    pub fn last_cycle(&self) -> usize {
        self.cycles.last().copied().unwrap_or(0)
    }
}

/// The slot of a coin that `after` has and `before` has not.
fn gained(before: Coins, after: Coins) -> Option<usize> {
    after.slots().find(|slot| after.count(*slot) > before.count(*slot))
}
