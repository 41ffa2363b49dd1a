-- Which servers are there: each writes its own row again and again. Nothing of the registry depends on it.
CREATE TABLE replicas (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    -- By the database's clock.
    seen_at INTEGER NOT NULL,
    -- The newest event that it serves.
    applied INTEGER NOT NULL CHECK (applied >= 0)
) STRICT;
