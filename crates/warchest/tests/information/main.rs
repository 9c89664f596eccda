//! Proves the information boundary of War Chest: observations hold what a seat may know and nothing else, beliefs
//! are what a slow twin finds, and whatever is computed from an observation is equal in two truths that give the
//! same observation. Every property counts what it really met.

mod bad_input;
mod belief;
mod brute_force;
mod bytes;
mod calibration;
mod directed;
mod encoding;
mod enumeration;
mod mini;
mod noninterference;
mod observation;
mod policy;
mod posterior;
mod sampling;
mod three_worlds;
