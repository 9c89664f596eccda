use crate::{Army, Coins, Decision, Hex, HexSet, Stack, State, Step, Zones};
use game::{Seat, Turn};

/// Everything one seat may know at this moment, except the history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Now {
    pub observer: Seat,
    /// By seat.
    pub armies: [Army; 2],
    pub stacks: [Stack; Hex::COUNT],
    /// The locations that carry a marker of each seat, by seat.
    pub control: [HexSet; 2],
    pub own: Zones,
    pub opponent: SeenZones,
    pub step: Step,
    /// The attacked Royal Guard whose owner must choose what it loses.
    pub attacked_guard: Option<Hex>,
    /// Whose turn or draw it is.
    pub actor: Seat,
    pub initiative: Seat,
    pub initiative_moved: bool,
    /// Whether a Warrior Priest V2 of the actor has drawn in this turn.
    pub priest_v2_drew: bool,
    /// Counted from 1.
    pub round: u16,
    /// Coins used from hands so far.
    pub coin_plays: u16,
    /// After how many coin plays the game is truncated; [`NO_CAP`](crate::NO_CAP) when it never is.
    pub cap: u16,
}

/// The opponent's coins off the board, as far as the observer may know them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SeenZones {
    pub hand_len: u8,
    pub discard_down_len: u8,
    /// 1 while a coin is in flight.
    pub drawn_len: u8,
    /// Hand, bag, face-down discards and coin in flight together. Public: it is what remains of the opponent's
    /// coins when everything that lies open is taken away.
    pub reserve: Coins,
    pub discard_up: Coins,
    pub supply: Coins,
    pub eliminated: Coins,
}

/// What a seat hides from its opponent. Its bag is the remainder of the reserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Concealed {
    pub hand: Coins,
    pub discard_down: Coins,
    pub drawn: Coins,
}

impl Concealed {
    /// What `seat` hides in `state`.
    pub fn of(state: &State, seat: Seat) -> Concealed {
        let zones = state.zones(seat);
        Concealed { hand: zones.hand, discard_down: zones.discard_down, drawn: zones.drawn }
    }

    pub fn total(&self) -> Coins {
        self.hand + self.discard_down + self.drawn
    }
}

impl SeenZones {
    pub(crate) fn of(zones: &Zones) -> SeenZones {
        SeenZones {
            hand_len: zones.hand.total() as u8,
            discard_down_len: zones.discard_down.total() as u8,
            drawn_len: zones.drawn.total() as u8,
            reserve: zones.hand + zones.bag + zones.discard_down + zones.drawn,
            discard_up: zones.discard_up,
            supply: zones.supply,
            eliminated: zones.eliminated,
        }
    }

    pub fn bag_len(&self) -> u8 {
        self.reserve.total() as u8 - self.hand_len - self.discard_down_len - self.drawn_len
    }

    /// The zones that look like this and hide `concealed`, which must fit.
    fn with(&self, concealed: &Concealed) -> Zones {
        Zones {
            bag: self.reserve - concealed.total(),
            hand: concealed.hand,
            discard_up: self.discard_up,
            discard_down: concealed.discard_down,
            supply: self.supply,
            eliminated: self.eliminated,
            drawn: concealed.drawn,
        }
    }
}

impl Now {
    /// What `observer` may know in `state`.
    pub(crate) fn of(state: &State, observer: Seat) -> Now {
        Now {
            observer,
            armies: state.armies,
            stacks: state.stacks,
            control: state.control,
            own: *state.zones(observer),
            opponent: SeenZones::of(state.zones(observer.other())),
            step: state.step,
            attacked_guard: state.attacked_guard,
            actor: state.actor,
            initiative: state.initiative,
            initiative_moved: state.initiative_moved,
            priest_v2_drew: state.priest_v2_drew,
            round: state.round,
            coin_plays: state.coin_plays,
            cap: state.cap,
        }
    }

    /// A complete state that looks like this to the observer and in which the opponent hides `concealed`.
    pub(crate) fn complete(&self, concealed: &Concealed) -> State {
        let mut zones = [self.own; 2];
        zones[self.observer.other().idx()] = self.opponent.with(concealed);
        let mut units = [[HexSet::EMPTY; Army::LEN]; 2];
        for (idx, stack) in self.stacks.iter().enumerate().filter(|(_, stack)| !stack.is_empty()) {
            let of_slot = &mut units[stack.owner().idx()][stack.slot()];
            *of_slot = of_slot.with(Hex::new(idx as u8));
        }
        State {
            units,
            control: self.control,
            zones,
            armies: self.armies,
            stacks: self.stacks,
            step: self.step,
            attacked_guard: self.attacked_guard,
            actor: self.actor,
            initiative: self.initiative,
            initiative_moved: self.initiative_moved,
            priest_v2_drew: self.priest_v2_drew,
            round: self.round,
            coin_plays: self.coin_plays,
            cap: self.cap,
        }
    }

    /// A state with the same legal actions for the observer: everything the opponent hides lies in its bag. No
    /// legal action of the observer depends on where the opponent's hidden coins are.
    pub(crate) fn with_nothing_concealed(&self) -> State {
        self.complete(&Concealed::default())
    }

    /// The names of the fields in which the two differ.
    pub(crate) fn difference(&self, other: &Now) -> String {
        let fields = [
            ("observer", self.observer == other.observer),
            ("armies", self.armies == other.armies),
            ("stacks", self.stacks == other.stacks),
            ("control", self.control == other.control),
            ("own coins", self.own == other.own),
            ("the opponent's coins", self.opponent == other.opponent),
            ("step", self.step == other.step),
            ("attacked guard", self.attacked_guard == other.attacked_guard),
            ("actor", self.actor == other.actor),
            ("initiative", self.initiative == other.initiative),
            ("initiative_moved", self.initiative_moved == other.initiative_moved),
            ("priest_v2_drew", self.priest_v2_drew == other.priest_v2_drew),
            ("round", self.round == other.round),
            ("coin_plays", self.coin_plays == other.coin_plays),
            ("cap", self.cap == other.cap),
        ];
        let differing = fields.into_iter().filter(|(_, is_equal)| !is_equal);
        differing.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    }

    pub fn army(&self, seat: Seat) -> &Army {
        &self.armies[seat.idx()]
    }

    pub fn stack(&self, hex: Hex) -> Stack {
        self.stacks[hex.idx()]
    }

    /// Who acts now.
    pub fn turn(&self) -> Turn {
        self.with_nothing_concealed().turn()
    }

    /// What kind of ply comes next; `None` after the end.
    pub fn decision(&self) -> Option<Decision> {
        self.with_nothing_concealed().decision()
    }

    /// The units that the pending decision is about.
    pub fn pending_units(&self) -> HexSet {
        match self.step {
            Step::Cavalry(hex)
            | Step::Berserker(hex)
            | Step::Swordsman(hex)
            | Step::Mercenary(hex) => HexSet::of(hex),
            Step::Footmen(hexes) => hexes,
            _ => HexSet::EMPTY,
        }
    }
}
