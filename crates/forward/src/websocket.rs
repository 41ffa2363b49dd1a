//! A connection that is no HTTP any more: bytes both ways until one side ends it.

use crate::headers;
use crate::streams::until_stopped;
use actix_web::dev::RequestHead;
use actix_web::http::Method;
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use reqwest::Upgraded;
use service::{Refusal, Shutdown};
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use worker_types::Problem;

/// What is read at once.
const CHUNK: usize = 16 << 10;

/// Whether the request asks to speak websocket (RFC 6455 §4.1).
///
/// `Upgrade` is read as the server's parser reads it, with or without `Connection`: for that, everything after the head
/// belongs to the websocket, whatever length is announced. Readers who disagree on where a request ends take a part of
/// it for the next one, which may be somebody else's.
///
/// # Errors
/// It names the websocket, and has a body or another method than GET.
pub(crate) fn asked_for(request: &RequestHead) -> Result<bool, Refusal> {
    let headers = &request.headers;
    let mut upgrades = headers.get_all("upgrade").filter_map(|value| value.to_str().ok());
    if !upgrades.any(|value| value.trim().eq_ignore_ascii_case("websocket")) {
        return Ok(false);
    }
    if request.method != Method::GET || headers::has_body(headers) {
        let detail = "the header Upgrade asks for a websocket, which begins with GET and has no body (RFC 6455 §4.1). \
                      Leave out Upgrade, or send GET without Content-Length and Transfer-Encoding";
        return Err(Refusal::new(Problem::InvalidHeader, detail));
    }
    let connection = headers.get_all("connection").filter_map(|value| value.to_str().ok());
    Ok(connection.flat_map(|value| value.split(',')).any(|option| option.trim().eq_ignore_ascii_case("upgrade")))
}

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

#[cfg(test)]
mod tests {
    use super::asked_for;
    use actix_web::test::TestRequest;
    use worker_types::Problem;

    fn asked(method: &str, headers: &[(&str, &str)]) -> Result<bool, Problem> {
        let request = TestRequest::default().method(method.parse().unwrap());
        let request = headers.iter().fold(request, |request, header| request.append_header(*header));
        asked_for(request.to_http_request().head()).map_err(|refusal| refusal.problem())
    }

    #[test]
    fn an_upgrade_is_one_to_websocket() {
        assert_eq!(asked("GET", &[("connection", "keep-alive, Upgrade"), ("upgrade", "WebSocket")]), Ok(true));
        assert_eq!(
            asked("GET", &[("connection", "upgrade"), ("upgrade", "websocket"), ("content-length", "0")]),
            Ok(true)
        );
        assert_eq!(asked("GET", &[("connection", "upgrade"), ("upgrade", "h2c")]), Ok(false));
        assert_eq!(asked("GET", &[("upgrade", "websocket")]), Ok(false));
        assert_eq!(asked("POST", &[("content-length", "3")]), Ok(false));
    }

    #[test]
    fn an_upgrade_has_no_body_and_begins_with_get() {
        let upgrade = [("connection", "upgrade"), ("upgrade", "websocket")];
        for body in [("content-length", "30"), ("transfer-encoding", "chunked")] {
            assert_eq!(asked("GET", &[&upgrade[..], &[body]].concat()), Err(Problem::InvalidHeader), "{body:?}");
            // Also where nothing says that the connection is about to change.
            assert_eq!(asked("GET", &[upgrade[1], body]), Err(Problem::InvalidHeader), "{body:?}");
        }
        assert_eq!(asked("POST", &upgrade), Err(Problem::InvalidHeader));
    }
}
