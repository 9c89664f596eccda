//! Solvers against reference curves, second implementations and known values.

mod certificate;
mod curves;
mod exact_cfr;
mod faulty;
mod games;
mod isomorphism;
mod linear_program;
mod matrix;
mod refusals;
mod rules_agree;
mod sampling;
mod saves;
mod stochastic;
mod textbook;
mod values;
mod war_chest;
