//! muster.v1: services and messages.
