//! Rollouts over HTTP: reading one, moving on, ending it.

use crate::harness::{Given, Server, described};
use reqwest::Method;
use serde_json::{Value, json};

const ROLLOUT: &str = "/worker-types/proj/linux/rollout";
const REVISIONS: &str = "/worker-types/proj/linux/revisions";

fn rolling(words: &str, rollout: Value) -> Value {
    let mut definition = described(words);
    definition["rollout"] = rollout;
    definition
}

#[tokio::test]
async fn a_rollout_is_read_and_ended() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("one")).await;
    server.get(ROLLOUT).send().await.refused(404, "no-rollout");
    server.publish("proj/linux", &rolling("two", json!({"policy": "lenient", "completeAfter": "7d"}))).await;
    let reply = server.get(ROLLOUT).send().await.expect(200);
    assert_eq!(reply.header("etag"), "\"g2\"");
    let rollout = reply.json();
    assert_eq!((&rollout["from"], &rollout["to"], &rollout["policy"]), (&json!(1), &json!(2), &json!("lenient")));
    let day = |field: &str| rollout[field].as_str().unwrap()[..10].parse::<jiff::civil::Date>().unwrap();
    assert_eq!(day("startedAt") + jiff::Span::new().days(7), day("completesAt"));

    let post = |verb: &str| server.request(Method::POST, &format!("{ROLLOUT}/{verb}"));
    post("complete").send().await.refused(428, "precondition-required");
    post("complete").header("if-match", "\"g1\"").send().await.refused(412, "precondition-failed");
    let ended = post("complete").header("if-match", "\"g2\"").send().await.expect(200);
    assert_eq!(ended.header("etag"), "\"g3\"");
    assert_eq!((&ended.json()["revision"], ended.json().get("rollout")), (&json!(2), None));
    post("complete").header("if-match", "*").send().await.refused(404, "no-rollout");

    server.publish("proj/linux", &rolling("three", json!({"policy": "strict"}))).await;
    let aborted = server.request(Method::POST, &format!("{ROLLOUT}/abort?message=too%20early"));
    let aborted = aborted.header("if-match", "*").send().await.expect(200).json();
    assert_eq!((&aborted["revision"], &aborted["generation"]), (&json!(2), &json!(5)));
}

#[tokio::test]
async fn the_history_tells_what_came_of_each_rollout() {
    let server = Server::local().await;
    let lenient = |words: &str| rolling(words, json!({"policy": "lenient"}));
    let end = async |how: &str| {
        let request = server.request(Method::POST, &format!("{ROLLOUT}/{how}")).header("if-match", "*");
        request.send().await.expect(200);
    };
    let history = async |query: &str| server.get(&format!("{REVISIONS}{query}")).send().await.expect(200).json();
    // The first revision takes over from nothing, whatever it says.
    server.publish("proj/linux", &lenient("one")).await;
    server.publish("proj/linux", &lenient("two")).await;
    assert_eq!(history("").await["revisions"][0]["rollout"], json!({"policy": "lenient", "outcome": "open"}));
    end("abort?message=too%20early").await;
    server.publish("proj/linux", &lenient("three")).await;
    end("complete?message=all%20moved").await;
    server.publish("proj/linux", &lenient("four")).await;
    let strict = server.request(Method::PUT, ROLLOUT).header("if-match", "*").json(&json!({"policy": "strict"}));
    strict.send().await.expect(200);
    let back = server.post("/worker-types/proj/linux/rollback", &json!({"revision": 1})).header("if-match", "*");
    back.send().await.expect(200);
    server.publish("proj/linux", &lenient("seven")).await;
    let over = server.request(Method::PUT, ROLLOUT).header("if-match", "*").json(&json!({"policy": "immediate"}));
    over.send().await.expect(200);
    server.publish("proj/linux", &lenient("nine")).await;
    let delete = server.request(Method::DELETE, "/worker-types/proj/linux?message=no%20more").header("if-match", "*");
    delete.send().await.expect(200);
    // What was told once stays told.
    server.publish("proj/linux", &described("ten")).await;
    server.publish("proj/linux", &lenient("eleven")).await;
    let back = server.post("/worker-types/proj/linux/rollback", &json!({"revision": 10})).header("if-match", "*");
    back.send().await.expect(200);
    let delete = server.request(Method::DELETE, "/worker-types/proj/linux").header("if-match", "*");
    delete.send().await.expect(200);

    let whole = history("").await["revisions"].as_array().unwrap().clone();
    for limit in 1..=12 {
        let (mut paged, mut query) = (Vec::new(), format!("?limit={limit}"));
        loop {
            let page = history(&query).await;
            paged.extend(page["revisions"].as_array().unwrap().clone());
            let Some(token) = page["continuationToken"].as_str() else { break };
            query = format!("?limit={limit}&continuationToken={token}");
        }
        assert_eq!(paged, whole, "{limit} on a page");
    }
    let told = |number: usize| whole[whole.len() - number].get("rollout");
    let followed =
        |policy: &str, outcome: &str, next: u32| json!({"policy": policy, "outcome": outcome, "nextRevision": next});
    let ended = |number: usize| {
        let rollout = told(number).unwrap();
        assert!(rollout["endedAt"].as_str().unwrap() > whole[whole.len() - number]["publishedAt"].as_str().unwrap());
        ["outcome", "endedBy", "message"].map(|member| rollout[member].as_str().unwrap().to_owned())
    };
    assert_eq!((told(1), told(6), told(8), told(10)), (None, None, None, None));
    assert_eq!(ended(2), ["aborted", "local", "too early"]);
    assert_eq!(ended(3), ["completed", "local", "all moved"]);
    assert_eq!(told(4), Some(&followed("lenient", "replaced", 5)));
    assert_eq!(told(5), Some(&followed("strict", "rolled-back", 6)));
    assert_eq!(told(7), Some(&followed("lenient", "superseded", 8)));
    assert_eq!(ended(9), ["deleted", "local", "no more"]);
    assert_eq!(told(11), Some(&followed("lenient", "rolled-back", 12)));
}

#[tokio::test]
async fn a_rollout_is_changed_by_a_new_revision() {
    let server = Server::local().await;
    server.publish("proj/linux", &described("one")).await;
    server.publish("proj/linux", &rolling("two", json!({"policy": "lenient"}))).await;
    let put = |body: Value| server.request(Method::PUT, ROLLOUT).header("if-match", "*").json(&body);
    let changed = put(json!({"policy": "strict"})).send().await.expect(200).json();
    assert_eq!((&changed["revision"], &changed["definition"]["rollout"]), (&json!(3), &json!({"policy": "strict"})));
    let refused = put(json!({"policy": "soon"})).send().await.refused(422, "invalid-definition");
    let error = &refused["errors"][0];
    assert_eq!(error["pointer"], "/policy");
    assert!(error["message"].as_str().unwrap().starts_with("/policy:"), "{error}");
    let url = format!("{ROLLOUT}/complete?allowBreaking=true");
    server.request(Method::POST, &url).header("if-match", "*").send().await.refused(400, "invalid-query");
    put(json!({"police": "strict"})).send().await.refused(400, "invalid-request");
}

#[tokio::test]
async fn the_documentation_tells_of_an_open_rollout_and_the_verdict_of_each_revision() {
    let server = Server::local().await;
    let needs = |name: &str, rollout: Value| {
        let schema =
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": [name]});
        json!({"description": name, "documentation": format!("# Give {name}"), "rollout": rollout,
            "variants": [{"name": "default", "payloadSchema": schema}]})
    };
    let docs = "/worker-types/proj/linux/documentation";
    server.publish("proj/linux", &needs("to", json!({"policy": "immediate"}))).await;
    assert_eq!(server.get(docs).send().await.expect(200).text(), "# Give to");
    server.publish("proj/linux", &needs("recipients", json!({"policy": "strict"}))).await;
    let told = server.get(docs).send().await.expect(200).text();
    let note =
        "> **A strict rollout of proj/linux is open:** revisions 1 and 2 are both live, and both must accept a task. ";
    assert!(told.starts_with(note) && told.ends_with("\n\n# Give recipients"), "{told}");
    assert_eq!(server.get(&format!("{docs}?revision=1")).send().await.expect(200).text(), "# Give to");

    let request = server.request(Method::POST, "/worker-types/proj/linux/validate");
    let verdict = request.json(&json!({"payload": {"to": "x"}})).send().await.expect(200).json();
    let each = json!([{"revision": 1, "verdict": "valid"}, {"revision": 2, "verdict": "invalid"}]);
    assert_eq!(
        (&verdict["verdict"], &verdict["rollout"]),
        (&json!("invalid"), &json!({"policy": "strict", "revisions": each}))
    );

    let end = server.request(Method::POST, &format!("{ROLLOUT}/complete?allowBreaking=true&message=x"));
    end.header("if-match", "*").send().await.expect(200);
    assert_eq!(server.get(docs).send().await.expect(200).text(), "# Give recipients");
}

#[tokio::test]
async fn whoever_may_not_see_the_pool_ends_a_rollout_without_seeing_it() {
    let publishes: &[&str] = &["worker-manager:publish:*", "worker-manager:get:*"];
    let given = Given::tokens(&[("owner", &["*"]), ("operator", publishes)]);
    let server = given.server().await.by(Some("owner"));
    let with_pool = |mut definition: Value| {
        definition["pool"] = json!({"providerId": "static", "config": {"secret": "x"}});
        definition
    };
    server.publish("proj/linux", &with_pool(described("one"))).await;
    server.publish("proj/linux", &with_pool(rolling("two", json!({"policy": "lenient"})))).await;
    let server = server.by(Some("operator"));
    let changed = server.request(Method::PUT, ROLLOUT).header("if-match", "*").json(&json!({"policy": "strict"}));
    assert_eq!(changed.send().await.expect(200).json()["definition"].get("pool"), None);
    let ended = server.request(Method::POST, &format!("{ROLLOUT}/complete")).header("if-match", "*");
    assert_eq!(ended.send().await.expect(200).json()["definition"].get("pool"), None);
    let server = server.by(Some("owner"));
    let live = server.get("/worker-types/proj/linux").send().await.expect(200).json();
    assert_eq!(live["definition"]["pool"]["config"], json!({"secret": "x"}), "nothing of it is lost");
}
