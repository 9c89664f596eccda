-- One run's record. Times are milliseconds since 1970-01-01 UTC.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE checkpoints (
    generation INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    step INTEGER NOT NULL,
    digest TEXT NOT NULL,
    path TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    promotion TEXT,
    registered_ms INTEGER NOT NULL
);
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    games TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    ready_at_ms INTEGER NOT NULL,
    -- The sequence number of the commit to be verified; null for self-play.
    verifies INTEGER
);
-- Every lease ever granted; fate is open, accepted, rejected or expired.
CREATE TABLE leases (
    epoch INTEGER PRIMARY KEY,
    job INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    worker TEXT NOT NULL,
    request INTEGER NOT NULL,
    checkpoint TEXT NOT NULL,
    n_games INTEGER NOT NULL,
    granted_ms INTEGER NOT NULL,
    fate TEXT NOT NULL,
    accepted_games INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE shards (
    sequence INTEGER PRIMARY KEY,
    job INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL UNIQUE,
    worker TEXT NOT NULL,
    checkpoint TEXT NOT NULL,
    commit_digest TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    n_games INTEGER NOT NULL,
    accepted_ms INTEGER NOT NULL,
    training_shard TEXT NOT NULL UNIQUE,
    training_digest TEXT NOT NULL,
    training_rows INTEGER NOT NULL,
    training_bytes INTEGER NOT NULL,
    training_manifest TEXT NOT NULL,
    audit_shard TEXT NOT NULL,
    audit_digest TEXT NOT NULL,
    audit_rows INTEGER NOT NULL,
    audit_bytes INTEGER NOT NULL,
    audit_manifest TEXT NOT NULL
);
CREATE TABLE refusals (reason TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
