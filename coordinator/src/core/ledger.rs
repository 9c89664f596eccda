//! issued = accepted + rejected + expired + open, to the unit (LS5).

/// Counts of one kind of unit: leases, or the games in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    pub issued: u64,
    pub accepted: u64,
    pub rejected: u64,
    pub expired: u64,
}

impl Ledger {
    /// Units whose fate is not known yet, if the ledger is sound.
    pub fn open(&self) -> Option<u64> {
        let closed = self.accepted.checked_add(self.rejected)?.checked_add(self.expired)?;
        self.issued.checked_sub(closed)
    }
}
