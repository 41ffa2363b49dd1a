use super::{LARGEST_EVENT, read};
use crate::{ClientError, FeedItem};
use bytes::Bytes;
use futures_util::{StreamExt, stream};

async fn cursors(parts: Vec<Bytes>) -> Vec<Result<String, ClientError>> {
    let parts = stream::iter(parts.into_iter().map(Ok));
    let items: Vec<_> = read(parts, "http://wm/events".to_owned()).collect().await;
    let cursor = |item| match item {
        FeedItem::Event(event) => event.cursor,
        FeedItem::Bookmark { cursor } => cursor,
        FeedItem::End { message, .. } => message,
    };
    items.into_iter().map(|item| item.map(cursor)).collect()
}

fn event(cursor: &str) -> String {
    format!(
        "id: {cursor}\nevent: worker-type-published\ndata: {{\"cursor\":\"{cursor}\",\"kind\":\"worker-type-published\"}}\n\n"
    )
}

#[tokio::test]
async fn a_feed_may_be_cut_anywhere_also_within_a_character() {
    let text = format!("\u{feff}: gruß\n\n{}{}", event("größe-1"), event("🦀"));
    for size in 1..=text.len() {
        let parts = text.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect();
        let read: Vec<_> = cursors(parts).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(read, ["größe-1", "🦀"], "in parts of {size} bytes");
    }
}

#[tokio::test]
async fn each_line_ending_of_the_standard_is_read() {
    // WHATWG HTML §9.2.5: CRLF, LF or CR; §9.2.6: fields without data dispatch nothing, comments are passed over.
    for end in ["\n", "\r\n", "\r"] {
        let text = format!(
            ":\n\nevent: bookmark\n\nretry: 10\n\n{}unknown: x\ndata:{{\"cursor\":\ndata: \"b\"}}\nevent:bookmark\n\n",
            event("a")
        );
        let parts = vec![Bytes::from(text.replace('\n', end))];
        let read: Vec<_> = cursors(parts).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(read, ["a", "b"], "{end:?}");
    }
}

#[tokio::test]
async fn an_event_that_the_connection_cut_off_is_not_taken() {
    let whole = event("a");
    let parts = vec![Bytes::from(whole.clone()), Bytes::from(whole.trim_end().to_owned())];
    assert_eq!(cursors(parts).await.len(), 1);
}

#[tokio::test]
async fn an_event_without_end_is_given_up() {
    let parts = std::iter::repeat_with(|| Bytes::from(vec![b'x'; 64 << 10])).take(64).collect();
    let read = cursors(parts).await;
    assert!(matches!(read[..], [Err(ClientError::TooLarge { limit: LARGEST_EVENT, .. })]), "{read:?}");
}

#[tokio::test]
async fn what_no_one_can_read_is_an_error_and_the_feed_goes_on() {
    let parts = vec![Bytes::from(format!("data: rubbish\n\n{}", event("a")))];
    let read = cursors(parts).await;
    assert!(matches!(read[..], [Err(ClientError::Unexpected(_)), Ok(_)]), "{read:?}");
}
