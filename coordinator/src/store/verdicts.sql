-- What verifications found, in the order of recording; first_check is null where nothing differs.
CREATE TABLE verdicts (
    number INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL UNIQUE,
    job INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL UNIQUE,
    auditor TEXT NOT NULL,
    shard TEXT NOT NULL,
    training_digest TEXT NOT NULL,
    audit_digest TEXT NOT NULL,
    n_rows INTEGER NOT NULL,
    rederived_equal INTEGER NOT NULL,
    worlds INTEGER NOT NULL,
    worlds_invalid INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    differences INTEGER NOT NULL,
    first_check TEXT,
    first_row INTEGER,
    first_column TEXT,
    recorded_ms INTEGER NOT NULL
);
