//! `policy-posterior`: what it is when the network knows nothing, what it asks, and that nothing but the observation
//! and the network's answers moves it.

use game::evaluate::UniformEvaluator;
use game::{
    ActionSpace, Belief, EvalRequest, Evaluation, Evaluator, Hidden, ModelFree, Observation,
    PolicyLayout, Rules, Seat, Stream,
};
use warchest::belief::Posterior;
use warchest::check::Walk;
use warchest::{ExactUniform, PolicyPosterior, State, WarChest};

/// A policy that is anything but equal: a hash of everything that was asked.
struct Hashed;

impl Evaluator<WarChest> for Hashed {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        requests.iter().map(hashed).collect()
    }
}

fn hashed(request: &EvalRequest<WarChest>) -> Evaluation {
    let mut bytes = Vec::new();
    WarChest::ranked().write_now(&request.now, &mut bytes);
    let seed = bytes.iter().fold(1469598103934665603u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(1099511628211)
    });
    let mut stream = Stream::from_seed(seed);
    let raw: Vec<f64> = request.actions.iter().map(|_| 0.01 + stream.unit()).collect();
    let sum: f64 = raw.iter().sum();
    let priors = raw.iter().map(|it| (it / sum) as f32).collect();
    Evaluation { value: 0.0, priors }
}

fn policy(exponent: f64) -> PolicyPosterior {
    PolicyPosterior::new(exponent).unwrap()
}

/// The weight of every configuration that `exact-uniform` finds possible, by both.
fn assert_like_exact(
    rules: &WarChest,
    belief: PolicyPosterior,
    found: &Posterior<PolicyPosterior>,
    observation: &Observation<WarChest>,
    state: &State,
) -> usize {
    let exact = ExactUniform.infer(rules, observation).unwrap();
    assert_eq!(belief.support_len(found), exact.support_len());
    for concealed in exact.configurations() {
        let [a, b] = [found.log_weight(&concealed), exact.log_weight(&concealed)];
        assert!((a - b).abs() < 1e-9, "{concealed:?}: {a} {b}");
    }
    assert!(belief.admits(rules, found, observation.seat(), state));
    usize::from(exact.support_len() > 1)
}

#[test]
fn an_equal_policy_or_exponent_0_is_exact_uniform() {
    let mut several = 0;
    for seed in 0..if cfg!(debug_assertions) { 2 } else { 5 } {
        let mut walk = Walk::deal(90_000 + seed);
        let rules = walk.rules;
        let equal = policy(0.7);
        let flat = policy(0.0);
        let begin = |belief: &PolicyPosterior, seat: Seat| {
            belief.prior(&rules, &walk.observations[seat.idx()])
        };
        let mut equals = Seat::BOTH.map(|seat| begin(&equal, seat));
        let mut flats = Seat::BOTH.map(|seat| begin(&flat, seat));
        while walk.step() {
            for seat in Seat::BOTH {
                let observation = &walk.observations[seat.idx()];
                let (even, level) = (&mut equals[seat.idx()], &mut flats[seat.idx()]);
                equal.catch_up_with(&rules, even, observation, &mut UniformEvaluator).unwrap();
                flat.catch_up_with(&rules, level, observation, &mut Hashed).unwrap();
                if walk.plies.len().is_multiple_of(7) {
                    several += assert_like_exact(&rules, equal, even, observation, &walk.state);
                    several += assert_like_exact(&rules, flat, level, observation, &walk.state);
                }
            }
        }
    }
    assert!(several > 100, "{several}");
}

#[test]
fn it_is_the_same_from_scratch_and_from_either_seat_and_follows_the_policy() {
    let (mut n_checked, mut n_moved) = (0, 0);
    for seed in 0..if cfg!(debug_assertions) { 2 } else { 4 } {
        let mut walk = Walk::deal(91_000 + seed);
        let rules = walk.rules;
        let belief = policy(1.0);
        let mut carried = Seat::BOTH.map(|s| belief.prior(&rules, &walk.observations[s.idx()]));
        let mut of_me =
            Seat::BOTH.map(|s| Posterior::begin(belief, &walk.observations[s.idx()], s));
        while walk.step() {
            if walk.stream.below(12) != 0 {
                continue;
            }
            for seat in Seat::BOTH {
                let mine = &walk.observations[seat.idx()];
                let theirs = &walk.observations[seat.other().idx()];
                let bytes = |posterior| belief.posterior_bytes(&rules, posterior);
                belief.catch_up_with(&rules, &mut carried[seat.idx()], mine, &mut Hashed).unwrap();
                let scratch = belief.infer_with(&rules, mine, &mut Hashed).unwrap();
                assert_eq!(bytes(&carried[seat.idx()]), bytes(&scratch));
                catch_up(&rules, &mut of_me[seat.idx()], mine);
                let found = belief.infer_with(&rules, theirs, &mut Hashed).unwrap();
                assert_eq!(bytes(&of_me[seat.idx()]), bytes(&found));
                n_checked += usize::from(found.support_len() > 1);
                let exact = ExactUniform.infer(&rules, mine).unwrap();
                let differs = exact.configurations().any(|concealed| {
                    (exact.log_weight(&concealed) - scratch.log_weight(&concealed)).abs() > 0.1
                });
                n_moved += usize::from(differs);
            }
        }
    }
    assert!(n_checked > 20 && n_moved > 20, "{n_checked} {n_moved}");
}

fn catch_up(
    rules: &WarChest,
    posterior: &mut Posterior<PolicyPosterior>,
    observation: &Observation<WarChest>,
) {
    loop {
        posterior.catch_up(rules, observation).unwrap();
        if posterior.questions().is_empty() {
            return;
        }
        let answers = Hashed.evaluate(posterior.questions());
        posterior.answer(&answers);
    }
}

/// Every question is one that the opponent could be asked: its own view, its own legal actions.
#[test]
fn it_asks_what_the_opponent_would_know() {
    let mut walk = Walk::deal(92_001);
    let rules = walk.rules;
    let belief = policy(1.0);
    let n_actions = PolicyLayout::n_actions(&rules.policy_layout());
    let mut posterior = belief.prior(&rules, &walk.observations[0]);
    let mut n_questions = 0;
    while walk.step() {
        let observation = &walk.observations[0];
        loop {
            belief.catch_up(&rules, &mut posterior, observation).unwrap();
            let questions = belief.questions(&posterior);
            if questions.is_empty() {
                break;
            }
            for question in questions {
                assert_eq!(rules.now_observer(&question.now), Seat::SECOND);
                let mut legal = Vec::new();
                let _ = rules.now_actions(&question.now, &mut legal);
                let setup = rules.now_setup(&question.now);
                let index = |action| rules.action_index(&setup, Seat::SECOND, action);
                let mut indices: Vec<u16> = legal.iter().map(|action| index(*action)).collect();
                indices.sort_unstable();
                assert_eq!(indices, question.actions);
                assert!(indices.iter().all(|idx| usize::from(*idx) < n_actions));
            }
            n_questions += questions.len();
            let answers = Hashed.evaluate(questions);
            belief.answer(&mut posterior, &answers);
        }
    }
    assert!(rules.legal(&walk.state).is_empty() && n_questions > 500, "{n_questions}");
}
