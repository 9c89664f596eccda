//! The rules of War Chest against an independent engine, published numbers, the rulebook and themselves.

mod conformance;
mod conformance_numbers;
mod fuzz_bodies;
mod referee_games;
mod setups;
mod support;
mod symmetry;
mod unit_rules;
