//! The rules configuration: what may differ from one run to another.

use crate::setup::{Pool, Preset, Setup};
use crate::state::NO_CAP;
use crate::{Draft, HexSet, N_MARKERS, Unit};
use game::Stream;

/// The default number of coin plays after which a game is truncated.
pub const CAP_DEFAULT: u16 = 256;

/// Which text of the Royal Guard's card is in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoyalGuardCard {
    /// Its tactic moves one or two steps to an empty location that its owner controls.
    Revised,
    /// The card of 2018: its tactic is one normal step.
    Printed2018,
}

impl RoyalGuardCard {
    pub const fn name(self) -> &'static str {
        match self {
            RoyalGuardCard::Revised => "revised",
            RoyalGuardCard::Printed2018 => "2018",
        }
    }

    pub fn from_name(name: &str) -> Option<RoyalGuardCard> {
        [RoyalGuardCard::Revised, RoyalGuardCard::Printed2018]
            .into_iter()
            .find(|card| card.name() == name)
    }
}

/// How armies and the first player are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dealing {
    /// Four random cards a side and a flip for the initiative.
    Random,
    /// A printed set-up; which seat plays which army is drawn.
    Preset(Preset),
    /// A draft of eight open cards whose picks are random.
    Draft,
    /// A draft of ten open cards with a strike a side, strikes and picks random.
    EliminationDraft,
}

impl Dealing {
    pub const ALL: [Dealing; 7] = [
        Dealing::Random,
        Dealing::Preset(Preset::FirstGame),
        Dealing::Preset(Preset::Gaugamela),
        Dealing::Preset(Preset::Bannockburn),
        Dealing::Preset(Preset::Crecy),
        Dealing::Draft,
        Dealing::EliminationDraft,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Dealing::Random => "random",
            Dealing::Preset(preset) => preset.name(),
            Dealing::Draft => "draft",
            Dealing::EliminationDraft => "elimination_draft",
        }
    }

    pub fn from_name(name: &str) -> Option<Dealing> {
        Dealing::ALL.into_iter().find(|dealing| dealing.name() == name)
    }
}

/// Which part of the board is played on, and for how many markers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// No unit ever stands anywhere else.
    pub hexes: HexSet,
    /// How many control markers a side has; placing the last one wins.
    pub n_markers: usize,
}

impl Board {
    /// All of it, as printed for two players.
    pub const PRINTED: Board = Board { hexes: HexSet::ALL, n_markers: N_MARKERS };
}

/// The rules of War Chest for two players, with their options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WarChest {
    pub pool: Pool,
    pub royal_guard: RoyalGuardCard,
    /// After this many coin plays a game is truncated (never called a draw; no rule of the game).
    pub cap: Option<u16>,
    pub dealing: Dealing,
    /// [`Board::PRINTED`], except where a game must be small enough to be enumerated.
    pub board: Board,
}

impl Default for WarChest {
    fn default() -> WarChest {
        WarChest {
            pool: Pool::Base,
            royal_guard: RoyalGuardCard::Revised,
            cap: Some(CAP_DEFAULT),
            dealing: Dealing::Random,
            board: Board::PRINTED,
        }
    }
}

impl WarChest {
    /// All 19 cards, otherwise the defaults.
    pub fn ranked() -> WarChest {
        WarChest { pool: Pool::Ranked, ..WarChest::default() }
    }

    pub fn without_cap(self) -> WarChest {
        WarChest { cap: None, ..self }
    }

    /// One line with every option that changes what is legal or how a game ends; part of the fingerprint. How
    /// armies are dealt is not in it, since data of any deal reads alike.
    pub fn options_text(&self) -> String {
        let cap = self.cap.map_or("off".to_owned(), |cap| cap.to_string());
        let board = match self.board {
            Board::PRINTED => String::new(),
            Board { hexes, n_markers } => format!(" board={:x} markers={n_markers}", hexes.bits()),
        };
        format!(
            "pool={} royal_guard={} cap={cap}{board}",
            self.pool.name(),
            self.royal_guard.name()
        )
    }

    /// Draws a set-up as [`WarChest::dealing`] says. Presets keep to their printed armies whatever the pool.
    pub(crate) fn deal_setup(&self, stream: &mut Stream) -> Setup {
        let finish = |mut draft: Draft, stream: &mut Stream| {
            draft.finish_at_random(stream);
            draft.setup().expect("a finished draft has a set-up")
        };
        match self.dealing {
            Dealing::Random => Setup::deal(self.pool, stream),
            Dealing::Preset(preset) => preset.deal(stream),
            Dealing::Draft => finish(Draft::deal(self.pool, stream), stream),
            Dealing::EliminationDraft => finish(Draft::deal_elimination(self.pool, stream), stream),
        }
    }

    pub(crate) fn cap_or_none(&self) -> u16 {
        self.cap.unwrap_or(NO_CAP)
    }

    /// Whether these rules know the card.
    pub fn knows(&self, unit: Unit) -> bool {
        self.pool.contains(unit)
    }
}
