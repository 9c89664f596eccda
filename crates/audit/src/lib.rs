//! Audit rows, verification, leak checks.
