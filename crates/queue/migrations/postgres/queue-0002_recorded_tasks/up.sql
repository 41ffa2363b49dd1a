-- Tasks that were created, redacted, for replays against definitions to come: as many as the settings say. They outlive
-- the tasks.
CREATE TABLE recorded_tasks (
    task_id TEXT COLLATE "C" PRIMARY KEY,
    task_queue_id TEXT COLLATE "C" NOT NULL,
    task TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX recorded_tasks_by_queue ON recorded_tasks (task_queue_id, at, task_id);
CREATE INDEX recorded_tasks_by_age ON recorded_tasks (at);
