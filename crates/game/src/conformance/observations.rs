//! What a seat may know, and the worlds that fit it.

use super::{Pick, Place, Violation, Walk, walk};
use crate::{Encode, Hidden, ModelFree, Observation, Seat, Stream, Turn};

/// What [`observations`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Observations {
    /// Observations compared (two or more a position).
    pub observations: u64,
    /// Lists of legal actions compared with those of the truth.
    pub action_lists: u64,
    /// Worlds sampled.
    pub worlds: u64,
    /// Worlds that differ from the truth.
    pub other_worlds: u64,
    /// Observations with more than one possible world.
    pub open_observations: u64,
}

/// For every seat at every `stride`-th position: `now` reads back from its bytes, which have the promised length, and
/// agrees with the truth about turn, observer and (before the first ply) set-up; its legal actions are those of the truth in the same order;
/// a world of the belief validates, gives the same observation and comes out again for the same seed.
pub fn observations<G: Hidden + Encode, B: ModelFree<G>>(
    rules: &G,
    belief: &B,
    plan: Walk,
    mut pick: impl Pick<G>,
    stride: u64,
) -> Result<Observations, Violation> {
    let seats: Vec<Seat> = (0..rules.n_seats()).map(|idx| Seat::new(idx as u8)).collect();
    let mut report = Observations::default();
    let seen: std::cell::RefCell<Vec<Observation<G>>> = Default::default();
    let visit = |place: &Place<G>, stream: &mut Stream| {
        let mut seen = seen.borrow_mut();
        if place.plies == 0 {
            *seen = seats
                .iter()
                .map(|seat| Observation::begin(*seat, rules.now(place.state, *seat)))
                .collect();
        }
        if place.plies.is_multiple_of(stride.max(1)) {
            for observation in seen.iter() {
                check_now(place, observation, &mut report)?;
                check_worlds(place, belief, observation, stream, &mut report)?;
            }
        }
        Ok(())
    };
    walk(rules, plan, &mut pick, "observation", visit, |before, action, after| {
        for observation in seen.borrow_mut().iter_mut() {
            let seat = observation.seat();
            observation.extend(rules.event(before, action, seat), rules.now(after, seat));
        }
    })?;
    Ok(report)
}

fn check_now<G: Hidden + Encode>(
    place: &Place<G>,
    observation: &Observation<G>,
    report: &mut Observations,
) -> Result<(), Violation> {
    let (rules, now) = (place.rules, observation.now());
    report.observations += 1;
    let mut bytes = Vec::new();
    rules.write_now(now, &mut bytes);
    place.ensure(bytes.len() == rules.now_len(), || format!("now has {} bytes", bytes.len()))?;
    let read = rules.read_now(&bytes);
    place.ensure(read.as_ref() == Ok(now), || format!("now reads back as {read:?}"))?;
    place.ensure(rules.now_observer(now) == observation.seat(), || "wrong observer".to_owned())?;
    if place.plies == 0 {
        place.ensure(rules.now_setup(now) == *place.setup, || "wrong set-up".to_owned())?;
    }
    let turn = rules.turn(place.state);
    place.ensure(rules.now_turn(now) == turn, || format!("turn {:?}", rules.now_turn(now)))?;
    let mut ours = Vec::new();
    let _ = rules.now_actions(now, &mut ours);
    let theirs =
        if turn == Turn::Seat(observation.seat()) { rules.legal(place.state) } else { Vec::new() };
    place.ensure(ours == theirs, || format!("now lists {ours:?}, the truth {theirs:?}"))?;
    report.action_lists += u64::from(!theirs.is_empty());
    let mut features = vec![f32::NAN; rules.feature_layout().row_len()];
    rules.write_features(now, &mut features);
    place.ensure(features.iter().all(|feature| feature.is_finite()), || {
        "a feature is not written or not finite".to_owned()
    })
}

fn check_worlds<G: Hidden, B: ModelFree<G>>(
    place: &Place<G>,
    belief: &B,
    observation: &Observation<G>,
    stream: &mut Stream,
    report: &mut Observations,
) -> Result<(), Violation> {
    let rules = place.rules;
    let posterior =
        belief.infer(rules, observation).map_err(|error| place.violation(error.to_string()))?;
    let is_open = belief.support_len(&posterior) > 1;
    report.open_observations += u64::from(is_open);
    let seed = stream.next_u64();
    let world = belief.world(rules, &posterior, observation, seed).into_state();
    let again = belief.world(rules, &posterior, observation, seed).into_state();
    place.ensure(world == again, || format!("seed {seed} gives two worlds"))?;
    rules.validate(&world).map_err(|error| place.violation(format!("world: {error}")))?;
    let seen = rules.now(&world, observation.seat());
    place.ensure(seen == *observation.now(), || {
        format!("{:?} sees {seen:?} in the world, {:?} in truth", seen, observation.now())
    })?;
    report.worlds += 1;
    report.other_worlds += u64::from(world != *place.state);
    Ok(())
}
