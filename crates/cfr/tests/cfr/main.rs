//! Solvers against reference curves, second implementations and known values.

mod certificate;
mod curves;
mod faulty;
mod games;
mod isomorphism;
mod matrix;
mod refusals;
mod rules_agree;
mod sampling;
mod saves;
mod stochastic;
mod textbook;
mod war_chest;
