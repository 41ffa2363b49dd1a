//! A connection that is no HTTP any more: bytes both ways until one side ends it.

use crate::streams::until_stopped;
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use reqwest::Upgraded;
use service::Shutdown;
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What is read at once.
const CHUNK: usize = 16 << 10;

/// Writes what the client says to `connection` from now on; what the other side says is the stream.
pub(crate) fn joined(
    connection: Upgraded,
    mut client: Payload,
    shutdown: Option<Shutdown>,
) -> impl Stream<Item = io::Result<Bytes>> {
    let (reader, mut writer) = tokio::io::split(connection);
    actix_web::rt::spawn(async move {
        while let Some(Ok(chunk)) = client.next().await {
            if writer.write_all(&chunk).await.is_err() {
                return;
            }
        }
        // The other side may be gone first.
        let _ = writer.shutdown().await;
    });
    let said = stream::try_unfold(reader, async |mut reader| {
        let mut chunk = BytesMut::with_capacity(CHUNK);
        let read = reader.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), reader)))
    });
    until_stopped(said, shutdown)
}
