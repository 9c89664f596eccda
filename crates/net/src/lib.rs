//! Networks, tensors, loss and optimizer (links libtorch).
