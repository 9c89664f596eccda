//! Builds positions for tests out of short texts, by way of the position notation.

#![allow(dead_code)]

use game::Notation;
use warchest::{Army, Coin, Hex, State, Unit, WarChest};

/// A position under construction: white holds the initiative and is to move unless said otherwise.
pub struct Builder {
    armies: [Army; 2],
    board: Vec<String>,
    control: [Vec<String>; 2],
    zones: [Vec<(String, Vec<String>)>; 2],
    extra: String,
}

fn seat_idx(seat: &str) -> usize {
    ["white", "black"].iter().position(|name| *name == seat).unwrap()
}

/// All coins of a list of zones as one text.
pub fn coins_of(zones: &[(&str, &str)]) -> String {
    zones.iter().map(|(_, coins)| *coins).collect::<Vec<_>>().join(" ")
}

/// The unit types that stand in a text of units (`knight(1,0)x2`) or coins (`knight royal_coin`).
fn types(text: &str) -> Vec<Unit> {
    let names = text.split_ascii_whitespace().map(|item| item.split('(').next().unwrap());
    names.filter(|name| *name != "royal_coin").map(|name| Unit::from_name(name).unwrap()).collect()
}

impl Builder {
    pub fn armies(white: [&str; 4], black: [&str; 4]) -> Builder {
        let army =
            |names: [&str; 4]| Army::new(names.map(|n| Unit::from_name(n).unwrap())).unwrap();
        Builder {
            armies: [army(white), army(black)],
            board: Vec::new(),
            control: [vec!["4,0".into(), "6,1".into()], vec!["0,5".into(), "2,6".into()]],
            zones: [Vec::new(), Vec::new()],
            extra: String::new(),
        }
    }

    /// Armies with the types that the texts name, filled up with types that neither side needs.
    pub fn for_types(white: &[&str], black: &[&str]) -> Builder {
        let list = |texts: &[&str]| {
            let mut units: Vec<Unit> = texts.iter().flat_map(|text| types(text)).collect();
            units.sort();
            units.dedup();
            units
        };
        let mut lists = [list(white), list(black)];
        for unit in Unit::ALL {
            if lists.iter().any(|list| list.contains(&unit)) {
                continue;
            }
            if let Some(short) = lists.iter_mut().find(|list| list.len() < 4) {
                short.push(unit);
            }
        }
        let [white, black] = lists.map(|list| <[Unit; 4]>::try_from(list).unwrap());
        Builder::armies(white.map(Unit::name), black.map(Unit::name))
    }

    /// Units as `unit(q,r)` or `unit(q,r)xN` in axial coordinates.
    pub fn units(&mut self, seat: &str, text: &str) -> &mut Self {
        for item in text.split_ascii_whitespace() {
            let (name, rest) = item.split_once('(').unwrap();
            let (place, height) = rest.split_once(')').unwrap();
            let (q, r) = place.split_once(',').unwrap();
            let hex = Hex::from_axial(q.parse().unwrap(), r.parse().unwrap()).unwrap();
            let height = height.strip_prefix('x').unwrap_or("1");
            self.board.push(format!("{seat}:{name}:{hex}:{height}"));
        }
        self
    }

    /// Adds coins, as names separated by spaces, to a zone.
    pub fn zone(&mut self, seat: &str, zone: &str, coins: &str) -> &mut Self {
        let coins = coins.split_ascii_whitespace().map(str::to_owned);
        let zones = &mut self.zones[seat_idx(seat)];
        match zones.iter_mut().find(|(name, _)| name == zone) {
            Some((_, held)) => held.extend(coins),
            None => zones.push((zone.to_owned(), coins.collect())),
        }
        self
    }

    pub fn marker(&mut self, seat: &str, q: i8, r: i8) -> &mut Self {
        let hex = Hex::from_axial(q, r).unwrap();
        self.control[seat_idx(seat)].push(hex.to_string());
        self
    }

    /// Two coins of each type and the royal coin in the bags, the rest in the supplies.
    pub fn starting_coins(&mut self) -> &mut Self {
        for seat in ["white", "black"] {
            let units = *self.armies[seat_idx(seat)].units();
            for unit in units {
                let rest = usize::from(unit.n_coins()) - 2;
                self.zone(seat, "bag", &[unit.name(); 2].join(" "));
                self.zone(seat, "supply", &vec![unit.name(); rest].join(" "));
            }
            self.zone(seat, "bag", "royal_coin");
        }
        self
    }

    /// Moves coins from the bag to the hand.
    pub fn hand_from_bag(&mut self, seat: &str, coins: &str) -> &mut Self {
        for coin in coins.split_ascii_whitespace() {
            let (_, bag) =
                self.zones[seat_idx(seat)].iter_mut().find(|(name, _)| name == "bag").unwrap();
            let at = bag.iter().position(|held| held == coin).unwrap();
            bag.swap_remove(at);
        }
        self.zone(seat, "hand", coins)
    }

    /// Further fields of the position's text, e.g. `moved=yes`.
    pub fn field(&mut self, text: &str) -> &mut Self {
        self.extra.push(' ');
        self.extra.push_str(text);
        self
    }

    pub fn text(&self) -> String {
        let army = |army: &Army| army.units().map(Unit::name).join(",");
        let zones = |zones: &[(String, Vec<String>)]| {
            let zone = |(name, held): &(String, Vec<String>)| {
                let mut coins: Vec<Coin> =
                    held.iter().map(|coin| Coin::from_name(coin).unwrap()).collect();
                coins.sort();
                let groups = coins.chunk_by(|a, b| a == b);
                let items: Vec<String> =
                    groups.map(|group| format!("{}*{}", group[0], group.len())).collect();
                format!("{name}:{}", items.join("+"))
            };
            zones.iter().map(zone).collect::<Vec<_>>().join(";")
        };
        format!(
            "armies={}/{} board={} control={}/{} white={} black={}{}",
            army(&self.armies[0]),
            army(&self.armies[1]),
            self.board.join("+"),
            self.control[0].join("+"),
            self.control[1].join("+"),
            zones(&self.zones[0]),
            zones(&self.zones[1]),
            self.extra,
        )
    }

    /// Reads and validates the position.
    pub fn build(&self, rules: &WarChest) -> State {
        match rules.parse_position(&self.text()) {
            Ok(state) => state,
            Err(error) => panic!("{error}"),
        }
    }
}
