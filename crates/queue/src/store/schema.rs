//! The tables as queries name them; `migrations/` makes them.

diesel::table! {
    task_groups (task_group_id) {
        task_group_id -> Text,
        scheduler_id -> Text,
        expires -> BigInt,
    }
}

diesel::table! {
    tasks (task_id) {
        task_id -> Text,
        task_queue_id -> Text,
        task_group_id -> Text,
        scheduler_id -> Text,
        project_id -> Text,
        definition -> Text,
        definition_bytes -> BigInt,
        definition_hash -> Text,
        created -> BigInt,
        deadline -> BigInt,
        expires -> BigInt,
        retries_left -> BigInt,
        state -> Text,
        runs -> Text,
    }
}

diesel::table! {
    verdicts (id) {
        id -> Text,
        task_id -> Nullable<Text>,
        requested_id -> Text,
        task_queue_id -> Text,
        action -> Text,
        mode -> Nullable<Text>,
        outcome -> Text,
        verdict -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    verdict_causes (verdict_id, problem, pointer) {
        verdict_id -> Text,
        problem -> Text,
        pointer -> Text,
        task_queue_id -> Text,
        requested_id -> Text,
        message -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    recorded_tasks (task_id) {
        task_id -> Text,
        task_queue_id -> Text,
        task -> Text,
        at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(task_groups, tasks, verdicts, verdict_causes);
