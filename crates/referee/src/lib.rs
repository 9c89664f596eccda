//! Truth: the only holder of real states.
