//! Whichever belief a configuration names, as one type: programs are generic over beliefs and would otherwise be
//! compiled once for each.

use super::{
    ExactUniform, LabelledUniform, Measure, PolicyPosterior, Posterior, StructuralUniform,
};
use crate::{State, WarChest};
use game::{Belief, Contradiction, EvalRequest, Evaluation, Observation, Seat, World};

/// One of the beliefs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AnyBelief {
    Structural(StructuralUniform),
    Labelled(LabelledUniform),
    Exact(ExactUniform),
    Policy(PolicyPosterior),
}

/// The posterior of one of the beliefs.
#[derive(Clone, Debug)]
pub enum AnyPosterior {
    Structural(Posterior<StructuralUniform>),
    Labelled(Posterior<LabelledUniform>),
    Exact(Posterior<ExactUniform>),
    Policy(Posterior<PolicyPosterior>),
}

/// Does the same with whichever it is.
macro_rules! each {
    ($kind:ident, $value:expr, $inner:ident => $does:expr) => {
        match $value {
            $kind::Structural($inner) => $does,
            $kind::Labelled($inner) => $does,
            $kind::Exact($inner) => $does,
            $kind::Policy($inner) => $does,
        }
    };
}

impl AnyBelief {
    /// The one of this name, with this exponent if it takes one.
    pub fn named(name: &str, exponent: f64) -> Option<AnyBelief> {
        let all = [
            AnyBelief::Structural(StructuralUniform),
            AnyBelief::Labelled(LabelledUniform),
            AnyBelief::Exact(ExactUniform),
            AnyBelief::Policy(PolicyPosterior::new(exponent)?),
        ];
        AnyBelief::NAMES.iter().position(|it| *it == name).map(|idx| all[idx])
    }

    /// As configs carry them.
    pub const NAMES: [&'static str; 4] =
        [StructuralUniform::NAME, LabelledUniform::NAME, ExactUniform::NAME, PolicyPosterior::NAME];
}

impl Belief<WarChest> for AnyBelief {
    type Posterior = AnyPosterior;

    fn name(&self) -> String {
        each!(AnyBelief, self, belief => Measure::name(belief))
    }

    fn prior(&self, rules: &WarChest, observation: &Observation<WarChest>) -> AnyPosterior {
        match self {
            AnyBelief::Structural(it) => AnyPosterior::Structural(it.prior(rules, observation)),
            AnyBelief::Labelled(it) => AnyPosterior::Labelled(it.prior(rules, observation)),
            AnyBelief::Exact(it) => AnyPosterior::Exact(it.prior(rules, observation)),
            AnyBelief::Policy(it) => AnyPosterior::Policy(it.prior(rules, observation)),
        }
    }

    fn catch_up(
        &self,
        rules: &WarChest,
        posterior: &mut AnyPosterior,
        observation: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        each!(AnyPosterior, posterior, it => it.catch_up(rules, observation))
    }

    fn questions<'p>(&self, posterior: &'p AnyPosterior) -> &'p [EvalRequest<WarChest>] {
        each!(AnyPosterior, posterior, it => it.questions())
    }

    fn answer(&self, posterior: &mut AnyPosterior, evaluations: &[Evaluation]) {
        each!(AnyPosterior, posterior, it => it.answer(evaluations));
    }

    fn support_len(&self, posterior: &AnyPosterior) -> usize {
        each!(AnyPosterior, posterior, it => it.support_len())
    }

    fn posterior_bytes(&self, _: &WarChest, posterior: &AnyPosterior) -> Vec<u8> {
        each!(AnyPosterior, posterior, it => it.bytes())
    }

    fn log_weight(
        &self,
        _: &WarChest,
        posterior: &AnyPosterior,
        observer: Seat,
        state: &State,
    ) -> f64 {
        each!(AnyPosterior, posterior, it => it.log_weight_of(observer, state))
    }

    fn all_worlds(
        &self,
        _: &WarChest,
        posterior: &AnyPosterior,
        observation: &Observation<WarChest>,
    ) -> Vec<(World<WarChest>, f64)> {
        each!(AnyPosterior, posterior, it => it.all_worlds(observation.now()))
    }

    fn world(
        &self,
        _: &WarChest,
        posterior: &AnyPosterior,
        observation: &Observation<WarChest>,
        seed: u64,
    ) -> World<WarChest> {
        each!(AnyPosterior, posterior, it => it.world(observation.now(), seed))
    }
}
