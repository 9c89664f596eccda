//! A run's shards by job: what is verified together.

use crate::verify::Shards;
use record::ShardManifest;
use std::collections::BTreeMap;

/// The shards of one attempt at one job.
#[derive(Default)]
pub(crate) struct JobShards<'s> {
    pub training: Vec<&'s ShardManifest>,
    pub audit: Vec<&'s ShardManifest>,
}

impl JobShards<'_> {
    /// Training rows, as the manifests say.
    pub fn n_rows(&self) -> u128 {
        self.training.iter().map(|manifest| u128::from(manifest.rows)).sum()
    }
}

/// Shards by job, in the order in which the jobs are first listed.
pub(crate) fn jobs(shards: &Shards) -> Vec<JobShards<'_>> {
    let mut jobs: Vec<JobShards<'_>> = Vec::new();
    let mut places = BTreeMap::new();
    let all = shards.training.iter().map(|it| (it, false));
    for (manifest, is_audit) in all.chain(shards.audit.iter().map(|it| (it, true))) {
        let key = (&*manifest.job, manifest.attempt, manifest.epoch);
        let place = *places.entry(key).or_insert_with(|| {
            jobs.push(JobShards::default());
            jobs.len() - 1
        });
        let JobShards { training, audit } = &mut jobs[place];
        if is_audit { audit.push(manifest) } else { training.push(manifest) }
    }
    jobs
}
