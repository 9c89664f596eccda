//! War Chest: rules, observation, beliefs, features, action index, symmetry.
