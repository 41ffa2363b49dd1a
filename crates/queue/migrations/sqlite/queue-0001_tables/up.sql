-- Times are microseconds since 1970, UTC. JSON is text.

-- Who may add tasks to a group.
CREATE TABLE task_groups (
    task_group_id TEXT PRIMARY KEY NOT NULL,
    scheduler_id TEXT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX task_groups_by_expiry ON task_groups (expires);

CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY NOT NULL,
    task_queue_id TEXT NOT NULL,
    task_group_id TEXT NOT NULL REFERENCES task_groups (task_group_id),
    scheduler_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    -- With every default.
    definition TEXT NOT NULL,
    -- How much memory a page of definitions takes is known before they are read.
    definition_bytes BIGINT NOT NULL,
    definition_hash TEXT NOT NULL,
    created BIGINT NOT NULL,
    deadline BIGINT NOT NULL CHECK (deadline >= created),
    expires BIGINT NOT NULL CHECK (expires >= deadline),
    retries_left BIGINT NOT NULL CHECK (retries_left >= 0),
    state TEXT NOT NULL,
    -- As the status shows them.
    runs TEXT NOT NULL
);
CREATE INDEX tasks_by_expiry ON tasks (expires);
CREATE INDEX tasks_by_queue ON tasks (task_queue_id, state);
CREATE INDEX tasks_by_group ON tasks (task_group_id);

-- What was said of each task: one row for a task that exists, one for each request that was refused.
CREATE TABLE verdicts (
    id TEXT PRIMARY KEY NOT NULL,
    -- Null for a request that was refused.
    task_id TEXT UNIQUE REFERENCES tasks (task_id) ON DELETE CASCADE,
    -- The id that the request named.
    requested_id TEXT NOT NULL,
    task_queue_id TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('created', 'warned', 'refused')),
    mode TEXT,
    outcome TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at BIGINT NOT NULL,
    CHECK ((task_id IS NULL) = (action = 'refused'))
);
CREATE INDEX verdicts_by_queue ON verdicts (task_queue_id, at, id, action, outcome);
CREATE INDEX verdicts_refused ON verdicts (at, id) WHERE task_id IS NULL;

-- Why tasks were warned of or refused, for the summary: one row for each distinct cause of a verdict.
CREATE TABLE verdict_causes (
    verdict_id TEXT NOT NULL REFERENCES verdicts (id) ON DELETE CASCADE,
    problem TEXT NOT NULL,
    -- Positions in arrays are '*'.
    pointer TEXT NOT NULL,
    task_queue_id TEXT NOT NULL,
    requested_id TEXT NOT NULL,
    message TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (verdict_id, problem, pointer)
);
CREATE INDEX verdict_causes_by_queue ON verdict_causes (task_queue_id, at);
