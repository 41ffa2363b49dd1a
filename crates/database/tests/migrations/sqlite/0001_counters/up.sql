CREATE TABLE counters (
    name TEXT PRIMARY KEY NOT NULL,
    value BIGINT NOT NULL CHECK (value >= 0)
) STRICT;
