//! Sizes, values of simple play, and what each seat is shown.

mod conformance;
mod leaky;
mod sizes;
mod uneven_play;
mod what_seats_know;
