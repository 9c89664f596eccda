//! What is decided before the first ply: armies and who holds the initiative.

use crate::{Army, Unit};
use game::{Seat, Stream};

/// Which unit cards take part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pool {
    /// The 16 types of the base box.
    Base,
    /// The base box and the three re-issued cards, which are cards of their own.
    Ranked,
}

impl Pool {
    pub const fn name(self) -> &'static str {
        match self {
            Pool::Base => "base",
            Pool::Ranked => "ranked",
        }
    }

    pub fn from_name(name: &str) -> Option<Pool> {
        [Pool::Base, Pool::Ranked].into_iter().find(|pool| pool.name() == name)
    }

    /// The cards in canonical order.
    pub fn units(self) -> &'static [Unit] {
        match self {
            Pool::Base => &Unit::ALL[..16],
            Pool::Ranked => &Unit::ALL,
        }
    }

    pub fn contains(self, unit: Unit) -> bool {
        self == Pool::Ranked || !unit.is_v2()
    }
}

/// Armies and first player; public to both seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// White's, then black's.
    pub armies: [Army; 2],
    /// Who holds the initiative in round 1.
    pub first: Seat,
}

impl Setup {
    /// The standard set-up: four cards a side without overlap, and a flip of the initiative marker.
    pub fn deal(pool: Pool, stream: &mut Stream) -> Setup {
        let mut cards = pool.units().to_vec();
        stream.shuffle(&mut cards);
        let army = |at: usize| {
            Army::new([cards[at], cards[at + 1], cards[at + 2], cards[at + 3]])
                .expect("a pool holds each card once")
        };
        let armies = [army(0), army(4)];
        Setup { armies, first: Seat::new(stream.below(2) as u8) }
    }
}

/// The printed set-ups with fixed armies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Preset {
    FirstGame,
    Gaugamela,
    Bannockburn,
    Crecy,
}

impl Preset {
    pub const ALL: [Preset; 4] =
        [Preset::FirstGame, Preset::Gaugamela, Preset::Bannockburn, Preset::Crecy];

    pub const fn name(self) -> &'static str {
        match self {
            Preset::FirstGame => "first_game",
            Preset::Gaugamela => "gaugamela",
            Preset::Bannockburn => "bannockburn",
            Preset::Crecy => "crecy",
        }
    }

    pub fn from_name(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The two armies in the order of the rulebook.
    pub fn armies(self) -> [Army; 2] {
        use Unit::*;
        let lists = match self {
            Preset::FirstGame => {
                [[Swordsman, Pikeman, Crossbowman, LightCavalry], [Archer, Cavalry, Lancer, Scout]]
            }
            Preset::Gaugamela => [
                [Knight, LightCavalry, Pikeman, Marshal],
                [Cavalry, Footman, Mercenary, RoyalGuard],
            ],
            Preset::Bannockburn => [
                [Archer, Cavalry, Lancer, Footman],
                [LightCavalry, Pikeman, WarriorPriest, Swordsman],
            ],
            Preset::Crecy => {
                [[Archer, Ensign, Knight, RoyalGuard], [Cavalry, Crossbowman, Lancer, Scout]]
            }
        };
        lists.map(|units| Army::new(units).expect("no printed army repeats a type"))
    }

    /// Who starts where the rulebook names the side: army A of the first game.
    pub const fn first_army(self) -> Option<usize> {
        match self {
            Preset::FirstGame => Some(0),
            _ => None,
        }
    }

    /// A game with these armies: which seat plays the first one is drawn, and so is who starts where the
    /// rulebook leaves it to the flip of the marker.
    pub fn deal(self, stream: &mut Stream) -> Setup {
        let [a, b] = self.armies();
        let seat_of_a = Seat::new(stream.below(2) as u8);
        let armies = if seat_of_a == Seat::FIRST { [a, b] } else { [b, a] };
        let flipped = Seat::new(stream.below(2) as u8);
        let first = if self.first_army().is_some() { seat_of_a } else { flipped };
        Setup { armies, first }
    }
}
