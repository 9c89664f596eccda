//! C9: answers that hang on the other rows of a batch.

use crate::planted::{Leak, Planted, leak};
use audit::lab::Test;
use audit::lab::subject::HashedRequests;
use game::{EvalRequest, Evaluation, Evaluator};
use warchest::WarChest;

/// The real evaluator, with answers changed over the whole batch.
struct Mixed {
    inner: HashedRequests<WarChest>,
    mix: fn(&mut [Evaluation]),
}

impl Evaluator<WarChest> for Mixed {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        let mut answers = self.inner.evaluate(requests);
        (self.mix)(&mut answers);
        answers
    }
}

fn mean_taken_off(answers: &mut [Evaluation]) {
    let mean = answers.iter().map(|answer| answer.value).sum::<f32>() / answers.len() as f32;
    answers.iter_mut().for_each(|answer| answer.value = (answer.value - 0.01 * mean) / 1.01);
}

fn place_told(answers: &mut [Evaluation]) {
    for (place, answer) in answers.iter_mut().enumerate() {
        answer.value *= 1.0 - 1e-4 * place.min(100) as f32;
    }
}

type Make = fn(&WarChest) -> Box<dyn Evaluator<WarChest>>;

fn planted(name: &'static str, about: &'static str, evaluator: Make) -> Leak {
    leak(9, name, about, Planted { evaluator, ..Planted::CLEAN }).caught_by(Test::Alone)
}

pub fn leaks() -> Vec<Leak> {
    vec![
        planted("mean-of-the-batch", "values are normalised over the batch", |rules| {
            Box::new(Mixed { inner: HashedRequests::new(rules), mix: mean_taken_off })
        }),
        planted("place-in-the-batch", "a value hangs on the row's place in the batch", |rules| {
            Box::new(Mixed { inner: HashedRequests::new(rules), mix: place_told })
        }),
    ]
}
