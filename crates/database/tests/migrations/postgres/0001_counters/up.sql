CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value BIGINT NOT NULL CHECK (value >= 0)
);
