//! Solvers against reference curves, second implementations and known values.

mod curves;
mod faulty;
mod refusals;
mod rules_agree;
mod sampling;
mod saves;
mod textbook;
