//! The search on War Chest: what one seat may know is all that decides, at every kind of decision, and values are
//! turned by seats alone.

mod features;
mod interference;
mod three_worlds;
mod turned;
mod walk;
mod wins;
