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
async fn after_a_bookmark_it_comes_back_with_that_cursor() {
    let (world, mut watch) = given(settings()).await;
    // Of worker types that this caller may not see, say: only the bookmark tells of them.
    world.send("id: 1-7\nevent: bookmark\ndata: {\"cursor\": \"1-7\"}\n\n");
    assert_eq!(told(&mut watch).await, "bookmark");
    world.cut_the_feed();
    assert!(told(&mut watch).await.starts_with("interrupted"));
    world.state().feed = Feed::Refused;
    assert!(told(&mut watch).await.starts_with("interrupted"));
    let asked: Vec<_> = world.fake.requests().iter().filter_map(|request| request.query("cursor")).collect();
    assert_eq!(asked, ["1-1", "1-7"]);
}

#[tokio::test]
async fn a_connection_that_is_half_open_is_given_up_and_what_was_missed_is_told() {
    let (world, mut watch) = given(WatchSettings { heartbeat: Duration::from_millis(300), ..settings() }).await;
    // Still open, as far as this side can see, and nothing comes over it any more.
    world.state().lose_the_readers();
    world.publish("p/w", 20);
    assert_eq!(told(&mut watch).await, "interrupted: the feed gave no sign of life for 900 ms");
    assert_eq!(told(&mut watch).await, "connected");
    assert_eq!(told(&mut watch).await, "event p/w 2");
}

/// The pauses of this many interruptions in a row.
async fn pauses(watch: &mut Watch, count: usize) -> Vec<Duration> {
    let mut pauses = Vec::new();
    while pauses.len() < count {
        if let Change::Interrupted(interruption) = watch.next().await {
            pauses.push(interruption.pause);
        }
    }
    pauses
}

#[tokio::test]
async fn pauses_double_up_to_the_longest_with_chance_added_and_begin_anew_after_a_sign_of_life() {
    let (world, mut watch) = given(settings()).await;
    for _ in 0..2 {
        world.bookmark();
        assert_eq!(told(&mut watch).await, "bookmark");
        world.state().feed = Feed::Refused;
        world.cut_the_feed();
        let expected = [5, 10, 20, 40, 50, 50].map(Duration::from_millis);
        for (pause, least) in pauses(&mut watch, 6).await.into_iter().zip(expected) {
            assert!(pause >= least && pause <= least * 2, "{pause:?} where {least:?} is the least");
        }
        world.state().feed = Feed::Well;
        assert_eq!(told(&mut watch).await, "connected");
    }
    // A connection alone is no sign of life: one that is cut each time is not tried at full speed.
    let mut least = Duration::ZERO;
    for _ in 0..3 {
        world.cut_the_feed();
        let pause = pauses(&mut watch, 1).await[0];
        assert!(pause >= least, "{pause:?}");
        least = Duration::from_millis(50);
        assert_eq!(told(&mut watch).await, "connected");
    }
}

#[tokio::test]
async fn watchers_do_not_come_back_all_at_once() {
    let world = World::start().await;
    world.state().feed = Feed::Refused;
    let settings = WatchSettings { first_pause: Duration::from_secs(1), ..WatchSettings::default() };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..8 {
        seen.extend(pauses(&mut Watch::new(world.client(), settings.clone()), 1).await);
    }
    assert!(seen.len() > 1, "{seen:?}");
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
