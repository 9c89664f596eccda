//! AdamW whose state can be saved and loaded (Loshchilov and Hutter 2019, as torch computes it).

use tch::Tensor;

/// The numbers of the update rule.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct AdamWParams {
    pub learning_rate: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub epsilon: f64,
    /// Decoupled from the gradient.
    pub weight_decay: f64,
}

impl Default for AdamWParams {
    fn default() -> Self {
        AdamWParams {
            learning_rate: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            weight_decay: 1e-4,
        }
    }
}

/// Running means of gradients and of their squares, one of each a parameter, and the number of updates.
pub struct AdamW {
    pub params: AdamWParams,
    step: u64,
    first: Vec<Tensor>,
    second: Vec<Tensor>,
}

impl AdamW {
    /// A fresh optimizer for parameters of these sizes.
    pub fn new(params: AdamWParams, parameters: &[Tensor]) -> AdamW {
        let zeros = || parameters.iter().map(|p| p.detach().zeros_like()).collect();
        AdamW { params, step: 0, first: zeros(), second: zeros() }
    }

    pub(crate) fn from_state(
        params: AdamWParams,
        step: u64,
        first: Vec<Tensor>,
        second: Vec<Tensor>,
    ) -> AdamW {
        AdamW { params, step, first, second }
    }

    /// Updates done since the state was fresh.
    pub fn step_count(&self) -> u64 {
        self.step
    }

    pub(crate) fn moments(&self) -> (&[Tensor], &[Tensor]) {
        (&self.first, &self.second)
    }

    /// One update from the gradients that stand in `parameters`, which are cleared. A parameter without a
    /// gradient stays as it is.
    pub fn update(&mut self, parameters: &[Tensor]) {
        self.step += 1;
        let AdamWParams { learning_rate, beta1, beta2, epsilon, weight_decay } = self.params;
        let exponent = self.step as f64;
        let correction1 = 1.0 - beta1.powf(exponent);
        let correction2_sqrt = (1.0 - beta2.powf(exponent)).sqrt();
        tch::no_grad(|| {
            for ((parameter, first), second) in
                parameters.iter().zip(&mut self.first).zip(&mut self.second)
            {
                let mut gradient = parameter.grad();
                if !gradient.defined() {
                    continue;
                }
                let mut parameter = parameter.shallow_clone();
                let _ = parameter.g_mul_scalar_(1.0 - learning_rate * weight_decay);
                let _ = first.g_mul_scalar_(beta1).g_add_(&(&gradient * (1.0 - beta1)));
                let _ =
                    second.g_mul_scalar_(beta2).g_add_(&(&gradient * (1.0 - beta2) * &gradient));
                let denominator = second.sqrt() / correction2_sqrt + epsilon;
                let step = &*first * (-learning_rate / correction1) / denominator;
                let _ = parameter.g_add_(&step);
                let _ = gradient.zero_();
            }
        });
    }
}

/// Scales all gradients so that their common norm is at most `norm_max`; gives the norm before.
pub fn clip_gradients(parameters: &[Tensor], norm_max: f64) -> f64 {
    tch::no_grad(|| {
        let gradients: Vec<Tensor> =
            parameters.iter().map(Tensor::grad).filter(Tensor::defined).collect();
        let square: f64 = gradients
            .iter()
            .map(|gradient| gradient.square().sum(tch::Kind::Double).double_value(&[]))
            .sum();
        let norm = square.sqrt();
        if norm > norm_max {
            for mut gradient in gradients {
                let _ = gradient.g_mul_scalar_(norm_max / norm);
            }
        }
        norm
    })
}
