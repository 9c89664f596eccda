//! One heap; a player takes 1 to 3 stones; who takes the last one wins. A heap of 4k stones is lost for the seat to
//! act. Everything is public.

use game::{
    ActionSink, ActionSpace, Appeal, Belief, Chance, Contradiction, DecodeError, Ending, Hidden,
    InvalidState, Observation, PolicyLayout, Rules, Seat, Stream, Tactical, Turn, Utility, World,
};
use std::ops::ControlFlow;

#[derive(Clone, Debug)]
pub struct Nim;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    pub stones: u8,
    pub to_act: Seat,
}

/// Take 1, 2 or 3.
pub type Take = u8;

impl Rules for Nim {
    type Setup = u8;
    type State = Heap;
    type Action = Take;
    type Undo = ();
    const NAME: &'static str = "nim";

    fn deal(&self, _: &mut Stream) -> u8 {
        21
    }

    fn initial(&self, stones: &u8) -> Heap {
        Heap { stones: *stones, to_act: Seat::FIRST }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.stones == 0 { Turn::Over } else { Turn::Seat(heap.to_act) }
    }

    fn actions(&self, heap: &Heap, sink: &mut impl ActionSink<Take>) -> ControlFlow<()> {
        (1..=heap.stones.min(3)).try_for_each(|take| sink.push(take))
    }

    fn apply(&self, heap: &mut Heap, take: Take) {
        heap.stones -= take;
        heap.to_act = heap.to_act.other();
    }

    fn undo(&self, heap: &mut Heap, take: Take, (): ()) {
        heap.stones += take;
        heap.to_act = heap.to_act.other();
    }

    fn ending(&self, heap: &Heap) -> Option<Ending> {
        (heap.stones == 0).then(|| Ending::Scored(Utility::won_by(heap.to_act.other())))
    }

    fn validate(&self, _: &Heap) -> Result<(), InvalidState> {
        Ok(())
    }

    fn is_possible(&self, heap: &Heap, take: Take) -> bool {
        self.is_legal(heap, take)
    }
}

impl Chance for Nim {
    fn outcomes(&self, _: &Heap, _: &mut impl FnMut(Take, u32)) {}
}

impl Hidden for Nim {
    /// The heap and who looks at it.
    type Now = (Heap, Seat);
    type Event = Take;
    const OBSERVATION: &'static str = "everything";

    fn now(&self, heap: &Heap, seat: Seat) -> (Heap, Seat) {
        (heap.clone(), seat)
    }

    fn event(&self, _: &Heap, take: Take, _: Seat) -> Take {
        take
    }

    fn now_observer(&self, now: &(Heap, Seat)) -> Seat {
        now.1
    }

    fn now_turn(&self, now: &(Heap, Seat)) -> Turn {
        self.turn(&now.0)
    }

    fn now_setup(&self, _: &(Heap, Seat)) -> u8 {
        0
    }

    fn now_actions(&self, now: &(Heap, Seat), sink: &mut impl ActionSink<Take>) -> ControlFlow<()> {
        if now.0.to_act == now.1 { self.actions(&now.0, sink) } else { ControlFlow::Continue(()) }
    }

    fn write_now(&self, now: &(Heap, Seat), out: &mut Vec<u8>) {
        out.extend([now.0.stones, now.0.to_act.idx() as u8, now.1.idx() as u8]);
    }

    fn now_len(&self) -> usize {
        3
    }

    fn read_now(&self, _: &[u8]) -> Result<(Heap, Seat), DecodeError> {
        Err(DecodeError { what: "heap", reason: "no test reads one".to_owned() })
    }

    fn write_event(&self, event: &Take, out: &mut Vec<u8>) {
        out.push(*event);
    }
}

impl ActionSpace for Nim {
    fn policy_layout(&self) -> PolicyLayout {
        PolicyLayout { planes: 0, height: 0, width: 0, flat: 3 }
    }

    fn action_index(&self, _: &u8, _: Seat, take: Take) -> u16 {
        u16::from(take) - 1
    }

    fn action_spec(&self) -> String {
        "take 1\ntake 2\ntake 3\n".to_owned()
    }
}

impl Tactical for Nim {
    fn appeal(&self, _: &(Heap, Seat), _: Take) -> Appeal {
        Appeal::Plain
    }
}

/// The only world there is.
#[derive(Clone)]
pub struct Everything;

impl Belief<Nim> for Everything {
    type Posterior = ();

    fn name(&self) -> String {
        "everything".to_owned()
    }

    fn prior(&self, _: &Nim, _: &Observation<Nim>) {}

    fn catch_up(&self, _: &Nim, (): &mut (), _: &Observation<Nim>) -> Result<(), Contradiction> {
        Ok(())
    }

    fn support_len(&self, (): &()) -> usize {
        1
    }

    fn posterior_bytes(&self, _: &Nim, (): &()) -> Vec<u8> {
        Vec::new()
    }

    fn log_weight(&self, _: &Nim, (): &(), _: Seat, _: &Heap) -> f64 {
        0.0
    }

    fn all_worlds(&self, _: &Nim, (): &(), seen: &Observation<Nim>) -> Vec<(World<Nim>, f64)> {
        vec![(World::sampled(seen.now().0.clone()), 0.0)]
    }

    fn world(&self, _: &Nim, (): &(), seen: &Observation<Nim>, _: u64) -> World<Nim> {
        World::sampled(seen.now().0.clone())
    }
}

/// What the seat to act sees of a heap.
pub fn observe(stones: u8, to_act: Seat) -> Observation<Nim> {
    Observation::begin(to_act, (Heap { stones, to_act }, to_act))
}
