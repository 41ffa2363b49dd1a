//! Bodies, handed on as they come: a few chunks wait between two connections, never a whole body.

use actix_web::web::Payload;
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use service::Shutdown;
use std::io;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many chunks wait.
const CHUNKS: usize = 4;

/// The body of the request to the next server, and the task that fills it: it ends when everything was handed on, or
/// nobody takes it any more.
pub(crate) fn outgoing(mut payload: Payload) -> (reqwest::Body, JoinHandle<()>) {
    let (sender, mut receiver) = mpsc::channel::<io::Result<Bytes>>(CHUNKS);
    // The payload of actix-web stays on its thread; the other client's body may not.
    let handing = actix_web::rt::spawn(async move {
        while let Some(chunk) = payload.next().await {
            let broken = chunk.is_err();
            if sender.send(chunk.map_err(io::Error::other)).await.is_err() || broken {
                return;
            }
        }
    });
    let chunks = stream::poll_fn(move |context| receiver.poll_recv(context));
    (reqwest::Body::wrap_stream(chunks), handing)
}

/// A stream without an end of its own (events, a websocket) ends when the server is about to stop.
pub(crate) fn until_stopped<S: Stream>(stream: S, shutdown: Option<Shutdown>) -> impl Stream<Item = S::Item> {
    stream.take_until(async move {
        match shutdown {
            Some(shutdown) => shutdown.requested().await,
            None => std::future::pending().await,
        }
    })
}
