//! The tables as queries name them; `migrations/` makes them.

diesel::table! {
    worker_types (id) {
        id -> Text,
        generation -> BigInt,
        last_revision -> BigInt,
        live_revision -> Nullable<BigInt>,
        older_revision -> Nullable<BigInt>,
        deleted_at -> Nullable<BigInt>,
        deleted_by -> Nullable<Text>,
    }
}

diesel::table! {
    revisions (worker_type_id, number) {
        worker_type_id -> Text,
        number -> BigInt,
        content_hash -> Text,
        definition -> Text,
        warnings -> Text,
        published_at -> BigInt,
        published_by -> Text,
        message -> Nullable<Text>,
        rollback_of -> Nullable<BigInt>,
        compatibility -> Nullable<Text>,
    }
}

diesel::table! {
    releases (id) {
        id -> Text,
        content_hash -> Text,
        content -> Text,
        warnings -> Text,
        published_at -> BigInt,
        published_by -> Text,
        message -> Nullable<Text>,
    }
}

diesel::table! {
    release_marks (release_id) {
        release_id -> Text,
        state -> Text,
        reason -> Nullable<Text>,
        replaced_by -> Nullable<Text>,
        marked_at -> BigInt,
        marked_by -> Text,
    }
}

diesel::table! {
    feed (id) {
        id -> BigInt,
        epoch -> Text,
        newest -> BigInt,
        compacted -> BigInt,
    }
}

diesel::table! {
    events (sequence) {
        sequence -> BigInt,
        kind -> Text,
        worker_type_id -> Nullable<Text>,
        release_id -> Nullable<Text>,
        generation -> Nullable<BigInt>,
        revision -> Nullable<BigInt>,
        at -> BigInt,
    }
}

diesel::table! {
    audit (sequence) {
        sequence -> BigInt,
        kind -> Text,
        subject -> Text,
        caller -> Text,
        message -> Nullable<Text>,
        request_id -> Nullable<Text>,
        at -> BigInt,
    }
}

diesel::table! {
    replicas (id) {
        id -> Text,
        name -> Text,
        version -> Text,
        started_at -> BigInt,
        seen_at -> BigInt,
        applied -> BigInt,
    }
}

diesel::joinable!(release_marks -> releases (release_id));
diesel::allow_tables_to_appear_in_same_query!(releases, release_marks);
diesel::joinable!(revisions -> worker_types (worker_type_id));
diesel::allow_tables_to_appear_in_same_query!(worker_types, revisions);
