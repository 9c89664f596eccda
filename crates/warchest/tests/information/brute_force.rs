//! A slow twin of the structural belief. It keeps every complete arrangement of the opponent's hidden coins as
//! plain lists, tries every single coin that could have moved, and keeps what agrees with the public sizes and
//! the public reserve. It reads `now` before and after a ply and never an event.

use std::collections::BTreeSet;
use warchest::{Coins, Now};

type List = Vec<usize>;

/// One arrangement; every list is sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Arrangement {
    pub flight: List,
    pub hand: List,
    pub discard_down: List,
    bag: List,
}

#[derive(Clone, Debug)]
pub struct Twin {
    pub arrangements: BTreeSet<Arrangement>,
    now: Now,
}

impl Twin {
    /// Every arrangement that fits the start.
    pub fn begin(start: &Now) -> Twin {
        let mut arrangements = BTreeSet::new();
        arrangements
            .insert(Arrangement { bag: list(start.opponent.reserve), ..Arrangement::default() });
        let lens = [
            (Zone::Flight, start.opponent.drawn_len),
            (Zone::Hand, start.opponent.hand_len),
            (Zone::DiscardDown, start.opponent.discard_down_len),
        ];
        for (to, len) in lens {
            for _ in 0..len {
                arrangements = arrangements.iter().flat_map(|a| a.moved(Zone::Bag, to)).collect();
            }
        }
        arrangements.retain(|arrangement| arrangement.fits(start));
        Twin { arrangements, now: *start }
    }

    pub fn advance(&mut self, now: &Now) {
        if now.opponent != self.now.opponent {
            let discard_up = list(self.now.opponent.discard_up);
            let successors = self.arrangements.iter().flat_map(|a| a.successors(&discard_up));
            self.arrangements = successors.filter(|a| a.fits(now)).collect();
        }
        self.now = *now;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Zone {
    Flight,
    Hand,
    DiscardDown,
    Bag,
    /// Not hidden any more.
    Open,
}

impl Arrangement {
    fn zone(&mut self, zone: Zone) -> Option<&mut List> {
        match zone {
            Zone::Flight => Some(&mut self.flight),
            Zone::Hand => Some(&mut self.hand),
            Zone::DiscardDown => Some(&mut self.discard_down),
            Zone::Bag => Some(&mut self.bag),
            Zone::Open => None,
        }
    }

    /// The arrangements after any one coin went from one zone to the other.
    fn moved(&self, from: Zone, to: Zone) -> Vec<Arrangement> {
        let n = self.clone().zone(from).map_or(0, |zone| zone.len());
        (0..n)
            .map(|idx| {
                let mut next = self.clone();
                let coin = next.zone(from).expect("a coin lies there").remove(idx);
                if let Some(zone) = next.zone(to) {
                    zone.push(coin);
                    zone.sort();
                }
                next
            })
            .collect()
    }

    /// Everything that can happen to the hidden coins in one ply.
    fn successors(&self, discard_up: &[usize]) -> Vec<Arrangement> {
        let mut all = vec![self.clone()];
        for from in [Zone::Hand, Zone::Flight] {
            for to in [Zone::Open, Zone::DiscardDown] {
                all.extend(self.moved(from, to));
            }
        }
        let mut filled = self.clone();
        if filled.bag.is_empty() {
            filled.bag.extend(discard_up);
            filled.bag.append(&mut filled.discard_down);
            filled.bag.sort();
        }
        for to in [Zone::Hand, Zone::Flight] {
            all.extend(filled.moved(Zone::Bag, to));
        }
        all
    }

    fn fits(&self, now: &Now) -> bool {
        let seen = &now.opponent;
        let mut all = [self.flight.as_slice(), &self.hand, &self.discard_down, &self.bag].concat();
        all.sort();
        self.hand.len() == usize::from(seen.hand_len)
            && self.discard_down.len() == usize::from(seen.discard_down_len)
            && self.flight.len() == usize::from(seen.drawn_len)
            && all == list(seen.reserve)
    }
}

/// The coins one by one, by slot.
pub fn list(coins: Coins) -> List {
    coins.slots().flat_map(|slot| vec![slot; usize::from(coins.count(slot))]).collect()
}
