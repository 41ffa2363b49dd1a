-- Times are microseconds since 1970, UTC. JSON is text, byte for byte as its author wrote it.

-- Where each worker type stands. Its row is written only by who holds its lock.
CREATE TABLE worker_types (
    id TEXT PRIMARY KEY NOT NULL,
    generation BIGINT NOT NULL CHECK (generation >= 1),
    last_revision BIGINT NOT NULL CHECK (last_revision >= 1),
    -- Null for a tombstone.
    live_revision BIGINT CHECK (live_revision BETWEEN 1 AND last_revision),
    -- The revision that is live beside it during a rollout.
    older_revision BIGINT CHECK (older_revision BETWEEN 1 AND last_revision),
    deleted_at BIGINT,
    deleted_by TEXT,
    CHECK ((live_revision IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
    CHECK (older_revision IS NULL OR (live_revision IS NOT NULL AND older_revision <> live_revision)),
    FOREIGN KEY (id, live_revision) REFERENCES revisions (worker_type_id, number) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (id, older_revision) REFERENCES revisions (worker_type_id, number) DEFERRABLE INITIALLY DEFERRED
);

-- Immutable.
CREATE TABLE revisions (
    worker_type_id TEXT NOT NULL REFERENCES worker_types (id),
    number BIGINT NOT NULL CHECK (number >= 1),
    content_hash TEXT NOT NULL,
    definition TEXT NOT NULL,
    warnings TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by TEXT NOT NULL,
    message TEXT,
    rollback_of BIGINT CHECK (rollback_of BETWEEN 1 AND number - 1),
    PRIMARY KEY (worker_type_id, number),
    FOREIGN KEY (worker_type_id, rollback_of) REFERENCES revisions (worker_type_id, number)
);

-- Immutable.
CREATE TABLE releases (
    id TEXT PRIMARY KEY NOT NULL,
    content_hash TEXT NOT NULL,
    content TEXT NOT NULL,
    warnings TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by TEXT NOT NULL,
    message TEXT
);

-- The change feed's bounds: one row, locked last in every transaction that writes events.
CREATE TABLE feed (
    id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
    epoch TEXT NOT NULL,
    newest BIGINT NOT NULL CHECK (newest >= 0),
    compacted BIGINT NOT NULL CHECK (compacted BETWEEN 0 AND newest)
);
INSERT INTO feed (id, epoch, newest, compacted) VALUES (1, lower(hex(randomblob(16))), 0, 0);

-- Dense from feed.compacted + 1 to feed.newest.
CREATE TABLE events (
    sequence BIGINT PRIMARY KEY NOT NULL CHECK (sequence >= 1),
    kind TEXT NOT NULL,
    worker_type_id TEXT REFERENCES worker_types (id),
    release_id TEXT REFERENCES releases (id),
    generation BIGINT,
    revision BIGINT,
    at BIGINT NOT NULL,
    CHECK ((worker_type_id IS NULL) <> (release_id IS NULL)),
    CHECK ((worker_type_id IS NULL) = (generation IS NULL)),
    CHECK ((worker_type_id IS NULL) = (revision IS NULL))
);

-- Who made each change: one row for each event, kept when the event is forgotten.
CREATE TABLE audit (
    sequence BIGINT PRIMARY KEY NOT NULL CHECK (sequence >= 1),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    caller TEXT NOT NULL,
    message TEXT,
    request_id TEXT,
    at BIGINT NOT NULL
);
CREATE INDEX audit_by_subject ON audit (subject, sequence);
