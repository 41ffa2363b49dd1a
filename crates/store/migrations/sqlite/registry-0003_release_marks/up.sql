-- What is said of a release after it was published. The release itself never changes.
CREATE TABLE release_marks (
    release_id TEXT PRIMARY KEY NOT NULL REFERENCES releases (id),
    state TEXT NOT NULL CHECK (state IN ('deprecated', 'withdrawn')),
    reason TEXT,
    replaced_by TEXT,
    marked_at INTEGER NOT NULL,
    marked_by TEXT NOT NULL
) STRICT;
