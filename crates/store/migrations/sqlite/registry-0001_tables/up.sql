-- Times are microseconds since 1970, UTC. JSON is text, byte for byte as its author wrote it.

-- Where each worker type stands. Its row is written only by who holds its lock.
CREATE TABLE worker_types (
    id TEXT PRIMARY KEY NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 1),
    last_revision INTEGER NOT NULL CHECK (last_revision >= 1),
    -- Null for a tombstone.
    live_revision INTEGER CHECK (live_revision BETWEEN 1 AND last_revision),
    -- The revision that is live beside it during a rollout.
    older_revision INTEGER CHECK (older_revision BETWEEN 1 AND last_revision),
    deleted_at INTEGER,
    deleted_by TEXT,
    CHECK ((live_revision IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
    CHECK (older_revision IS NULL OR (live_revision IS NOT NULL AND older_revision <> live_revision)),
    FOREIGN KEY (id, live_revision) REFERENCES revisions (worker_type_id, number) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (id, older_revision) REFERENCES revisions (worker_type_id, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- Immutable.
CREATE TABLE revisions (
    worker_type_id TEXT NOT NULL REFERENCES worker_types (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    content_hash TEXT NOT NULL,
    definition TEXT NOT NULL,
    warnings TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    published_by TEXT NOT NULL,
    message TEXT,
    rollback_of INTEGER CHECK (rollback_of BETWEEN 1 AND number - 1),
    PRIMARY KEY (worker_type_id, number),
    FOREIGN KEY (worker_type_id, rollback_of) REFERENCES revisions (worker_type_id, number)
) STRICT;

-- Immutable.
CREATE TABLE releases (
    id TEXT PRIMARY KEY NOT NULL,
    content_hash TEXT NOT NULL,
    content TEXT NOT NULL,
    warnings TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    published_by TEXT NOT NULL,
    message TEXT
) STRICT;

-- The change feed's bounds: one row, locked last in every transaction that writes events.
CREATE TABLE feed (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    epoch TEXT NOT NULL,
    newest INTEGER NOT NULL CHECK (newest >= 0),
    compacted INTEGER NOT NULL CHECK (compacted BETWEEN 0 AND newest)
) STRICT;
INSERT INTO feed (id, epoch, newest, compacted) VALUES (1, lower(hex(randomblob(16))), 0, 0);

-- Dense from feed.compacted + 1 to feed.newest.
CREATE TABLE events (
    sequence INTEGER PRIMARY KEY NOT NULL CHECK (sequence >= 1),
    kind TEXT NOT NULL,
    worker_type_id TEXT REFERENCES worker_types (id),
    release_id TEXT REFERENCES releases (id),
    generation INTEGER,
    revision INTEGER,
    at INTEGER NOT NULL,
    CHECK ((worker_type_id IS NULL) <> (release_id IS NULL)),
    CHECK ((worker_type_id IS NULL) = (generation IS NULL)),
    CHECK ((worker_type_id IS NULL) = (revision IS NULL))
) STRICT;

-- Who made each change: one row for each event, kept when the event is forgotten.
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY NOT NULL CHECK (sequence >= 1),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    caller TEXT NOT NULL,
    message TEXT,
    request_id TEXT,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_subject ON audit (subject, sequence);
