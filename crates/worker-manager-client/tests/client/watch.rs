//! List, then watch.

use crate::world::{Feed, World, wait_until};
use std::time::Duration;
use worker_manager_client::{Change, Watch, WatchSettings};

fn settings() -> WatchSettings {
    WatchSettings {
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(50),
        ..WatchSettings::default()
    }
}

/// One word for what the watch tells; hangs are cut after a minute.
async fn told(watch: &mut Watch) -> String {
    match tokio::time::timeout(Duration::from_secs(60), watch.next()).await.unwrap() {
        Change::Listed(all) => format!("listed {}", all.len()),
        Change::Connected => "connected".to_owned(),
        Change::Event(event) => format!("event {} {}", event.worker_type_id.unwrap(), event.generation.unwrap()),
        Change::Bookmark => "bookmark".to_owned(),
        Change::Interrupted(interruption) => {
            assert!(interruption.pause >= Duration::from_millis(5) && interruption.pause <= Duration::from_millis(100));
            format!("interrupted: {}", interruption.cause)
        }
    }
}

/// A watch that is connected to a world with one worker type.
async fn given(settings: WatchSettings) -> (World, Watch) {
    let world = World::start().await;
    world.publish("p/w", 10);
    let mut watch = Watch::new(world.client(), settings);
    assert_eq!(told(&mut watch).await, "listed 1");
    assert_eq!(told(&mut watch).await, "connected");
    (world, watch)
}

#[tokio::test]
async fn what_was_listed_is_not_told_again_and_what_changes_later_is() {
    let (world, mut watch) = given(settings()).await;
    world.publish("p/w", 20);
    world.delete("p/w");
    assert_eq!(told(&mut watch).await, "event p/w 2");
    assert_eq!(told(&mut watch).await, "event p/w 3");
    assert_eq!(watch.cursor(), Some("1-3"));
}

#[tokio::test]
async fn changes_between_the_list_and_the_connection_are_told() {
    let world = World::start().await;
    let mut watch = Watch::new(world.client(), settings());
    assert_eq!(told(&mut watch).await, "listed 0");
    world.publish("p/w", 10);
    assert_eq!(told(&mut watch).await, "connected");
    assert_eq!(told(&mut watch).await, "event p/w 1");
}

#[tokio::test]
async fn after_a_lost_connection_it_goes_on_from_its_cursor() {
    let (world, mut watch) = given(settings()).await;
    world.publish("p/w", 20);
    assert_eq!(told(&mut watch).await, "event p/w 2");
    world.cut_the_feed();
    assert_eq!(told(&mut watch).await, "interrupted: the server ended the feed");
    world.publish("p/w", 30);
    assert_eq!(told(&mut watch).await, "connected");
    assert_eq!(told(&mut watch).await, "event p/w 3");
    let asked: Vec<_> = world.fake.requests().iter().filter_map(|request| request.query("cursor")).collect();
    assert_eq!(asked, ["1-1", "1-2"]);
}

#[tokio::test]
async fn a_server_may_end_the_feed_and_say_why() {
    let (world, mut watch) = given(settings()).await;
    for (why, next) in [
        ("closing", "connected"),
        ("slow-reader", "connected"),
        ("unavailable", "connected"),
        ("cursor-gone", "listed 1"),
    ] {
        world.send(&format!("event: {why}\ndata: {{\"cursor\": \"1-1\", \"message\": \"{why} it says\"}}\n\n"));
        assert_eq!(told(&mut watch).await, format!("interrupted: the server ended the feed: {why} it says"));
        assert_eq!(told(&mut watch).await, next);
    }
}

#[tokio::test]
async fn a_bookmark_moves_the_cursor() {
    let (world, mut watch) = given(settings()).await;
    world.send("id: 1-1\nevent: bookmark\ndata: {\"cursor\": \"1-1\", \"more\": 1}\n\n: comment\n\n");
    assert_eq!(told(&mut watch).await, "bookmark");
    world.publish("p/w", 20);
    told(&mut watch).await;
    world.bookmark();
    assert_eq!(told(&mut watch).await, "bookmark");
    assert_eq!(watch.cursor(), Some("1-2"));
}

#[tokio::test]
async fn a_cursor_that_is_gone_means_a_new_list() {
    let (mut world, mut watch) = given(settings()).await;
    world.fake.stop().await;
    assert_eq!(told(&mut watch).await, "interrupted: the server ended the feed");
    assert!(told(&mut watch).await.starts_with("interrupted: worker-manager cannot be reached"));
    world.state().epoch = 2;
    world.fake.restart().await;
    let interruption = told(&mut watch).await;
    assert_eq!(interruption, "interrupted: compacted (request r-1)");
    assert_eq!(told(&mut watch).await, "listed 1");
    assert_eq!(told(&mut watch).await, "connected");
    assert_eq!(watch.cursor(), Some("2-1"));
}

#[tokio::test]
async fn silence_is_noticed_also_by_a_caller_who_asks_over_and_over() {
    let (_world, mut watch) = given(WatchSettings { heartbeat: Duration::from_millis(100), ..settings() }).await;
    let told = loop {
        if let Ok(change) = tokio::time::timeout(Duration::from_millis(20), watch.next()).await {
            break change;
        }
    };
    let Change::Interrupted(interruption) = told else { panic!("{told:?}") };
    assert_eq!(interruption.cause, "the feed gave no sign of life for 300 ms");
    assert_eq!(watch.next().await, Change::Connected);
}

#[tokio::test]
async fn a_change_that_cannot_be_read_means_a_new_list() {
    let (world, mut watch) = given(settings()).await;
    world.send("data: {\"cursor\": 7}\n\n");
    let interruption = told(&mut watch).await;
    assert!(interruption.contains("a change ("), "{interruption}");
    assert_eq!(told(&mut watch).await, "listed 1");
}

#[tokio::test]
async fn it_keeps_trying_through_every_kind_of_refusal() {
    let world = World::start().await;
    let mut watch = Watch::new(world.client(), WatchSettings { list: false, ..settings() });
    for (feed, expected) in [
        (Feed::Refused, "starting (request r-1)"),
        (Feed::Html, "where an event stream was expected"),
        (Feed::Gone, "compacted (request r-1)"),
    ] {
        world.state().feed = feed;
        let interruption = loop {
            let told = told(&mut watch).await;
            if told.starts_with("interrupted") && told.contains(expected) {
                break told;
            }
        };
        assert!(!interruption.is_empty());
    }
    world.state().feed = Feed::Well;
    while told(&mut watch).await != "connected" {}
    assert!(world.fake.requests().iter().all(|request| request.query("limit").is_none_or(|limit| limit == "1")));
}

#[tokio::test]
async fn the_connection_ends_with_the_watch() {
    let (world, watch) = given(settings()).await;
    assert_eq!(world.readers(), 1);
    drop(watch);
    wait_until("the reader goes", async || world.readers() == 0).await;
}
