//! Coverage of the API is recorded, not listed: every answer of the real binary is noted with its operation, and held against
//! the OpenAPI documents that it serves. A documented pair of operation and status that no scenario met fails, and so does an
//! answer that is not documented.

mod everywhere;
mod outage;
mod queue;
mod record;
mod releases;
mod schemas;
mod scopes;
mod starting;
mod worker_types;
mod writes;

use integration_tests::server::Server;
use record::Recorder;

#[test]
fn every_documented_answer_is_given_and_every_given_answer_is_documented() {
    let server = Server::dev();
    let recorder = Recorder::of(&server);
    everywhere::given_what_no_operation_takes_then_each_refuses(&recorder, &server);
    scopes::given_tokens_then_each_operation_asks_for_its_scope(&recorder);
    worker_types::given_a_worker_type_then_its_routes_answer(&recorder, &server);
    schemas::given_worker_types_then_their_schemas_are_derived(&recorder, &server);
    writes::given_states_that_do_not_fit_then_writes_are_refused(&recorder, &server);
    releases::given_a_release_then_its_routes_answer(&recorder, &server);
    queue::given_tasks_then_the_queue_answers(&recorder, &server);
    queue::given_no_worker_manager_then_the_queue_says_so(&recorder);
    starting::given_a_server_that_starts_then_it_says_that_it_is_not_ready(&recorder);
    let outage = outage::given_a_database_that_goes_away_then_writes_wait_and_live_reads_go_on(&recorder);
    let faults = recorder.faults(outage);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    println!("{}", recorder.summary());
}
