//! What a search that knew the hidden part would have seen coming: the opponent's replies to the most visited actions,
//! and what the network says of its position then.

use game::{Appeal, EvalRequest, Evaluator, PipelineGame, Seat, Turn};
use record::TrainingRow;

/// How many of the most visited actions are followed.
const N_FOLLOWED: usize = 3;
/// How many traits of a configuration come from here: four of the replies, one of the values.
pub(super) const N_FORESEEN: usize = 5;

/// One row's most visited actions.
pub(super) struct Foresight<'a, G: PipelineGame, E: Evaluator<G>> {
    rules: &'a G,
    evaluator: &'a mut E,
    seat: Seat,
    /// Each with its share of the followed visits.
    followed: Vec<(G::Action, f32)>,
}

impl<'a, G: PipelineGame, E: Evaluator<G>> Foresight<'a, G, E> {
    /// `state` is any in which the row's seat knows what the row says.
    pub fn new(
        rules: &'a G,
        evaluator: &'a mut E,
        row: &TrainingRow,
        seat: Seat,
        state: &G::State,
    ) -> Self {
        let setup = rules.now_setup(&rules.now(state, seat));
        let legal = rules.legal(state);
        let mut visits = row.visits.clone();
        visits.sort_by_key(|it| (u16::MAX - it.visits, it.action));
        visits.truncate(N_FOLLOWED);
        let total: f32 = visits.iter().map(|it| f32::from(it.visits)).sum();
        let of = |index: u16| {
            legal.iter().find(|action| rules.action_index(&setup, seat, **action) == index)
        };
        let share = |visits: u16| f32::from(visits) / total;
        let followed = visits.iter().filter_map(|it| Some((*of(it.action)?, share(it.visits))));
        Foresight { rules, evaluator, seat, followed: followed.collect() }
    }

    /// The states after each followed action in which the opponent is to act.
    fn after(&self, state: &G::State) -> Vec<(G::State, f32)> {
        let play = |(action, share): &(G::Action, f32)| {
            let mut after = state.clone();
            self.rules.apply(&mut after, *action);
            let is_replied = self.rules.turn(&after) == Turn::Seat(self.seat.other());
            is_replied.then_some((after, *share))
        };
        self.followed.iter().filter_map(play).collect()
    }

    /// Over the followed actions, by visits: whether the opponent's best reply takes control or attacks, and how many
    /// such replies it has.
    pub fn replies(&self, state: &G::State) -> [f32; N_FORESEEN - 1] {
        let mut sums = [0.0; N_FORESEEN - 1];
        for (after, share) in self.after(state) {
            let now = self.rules.now(&after, self.seat.other());
            let (mut controls, mut attacks) = (0.0f32, 0.0f32);
            for reply in self.rules.legal(&after) {
                match self.rules.appeal(&now, reply) {
                    Appeal::Control => controls += 1.0,
                    Appeal::Attack => attacks += 1.0,
                    Appeal::Advance(_) | Appeal::Plain => {}
                }
            }
            sums[0] += share * controls.min(1.0);
            sums[1] += share * attacks.min(1.0);
            sums[2] += share * controls / 4.0;
            sums[3] += share * attacks / 4.0;
        }
        sums
    }

    /// For each state, the network's value after the followed actions, by visits, from the row's view.
    pub fn values<'s>(&mut self, states: impl Iterator<Item = &'s G::State>) -> Vec<f32>
    where
        G::State: 's,
    {
        let opponent = self.seat.other();
        let mut requests = Vec::new();
        let mut shares = Vec::new();
        let mut values = Vec::new();
        for (idx, state) in states.enumerate() {
            values.push(0.0);
            for (after, share) in self.after(state) {
                let now = self.rules.now(&after, opponent);
                let setup = self.rules.now_setup(&now);
                let index = |action: &G::Action| self.rules.action_index(&setup, opponent, *action);
                let mut actions: Vec<u16> = self.rules.legal(&after).iter().map(index).collect();
                actions.sort_unstable();
                requests.push(EvalRequest { now, actions });
                shares.push((idx, share));
            }
        }
        let evaluations = self.evaluator.evaluate(&requests);
        for ((idx, share), evaluation) in shares.into_iter().zip(evaluations) {
            values[idx] -= share * evaluation.value;
        }
        values
    }
}
