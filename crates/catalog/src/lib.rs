//! Games by name, for the command line, workers and tools.
