//! Sizes, values of simple play, and what each seat is shown.

mod sizes;
mod uneven_play;
