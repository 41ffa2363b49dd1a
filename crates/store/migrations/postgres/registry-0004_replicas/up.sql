-- Which servers are there: each writes its own row again and again. Nothing of the registry depends on it.
CREATE TABLE replicas (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    -- By the database's clock.
    seen_at BIGINT NOT NULL,
    -- The newest event that it serves.
    applied BIGINT NOT NULL CHECK (applied >= 0)
);
