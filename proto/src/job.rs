//! A lease's job, shown without the secret in it.

use crate::v1::Job;
use std::fmt;

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checkpoint = self.checkpoint.as_ref().map(|checkpoint| &checkpoint.id);
        f.debug_struct("Job")
            .field("job", &self.job)
            .field("attempt", &self.attempt)
            .field("epoch", &self.epoch)
            .field("lease_ttl_ms", &self.lease_ttl_ms)
            .field("games", &self.games)
            .field("checkpoint", &checkpoint)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deal_secret_is_not_shown() {
        let job = Job { deal_secret: vec![173; 32], ..Job::default() };
        let shown = format!("{job:?}");
        assert!(shown.contains("Job") && !shown.contains("173"), "{shown}");
    }
}
