//! A body of lines, read one by one as they come.

use super::{expected, read_limited};
use crate::Refusal;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::{FromRequest, HttpRequest};
use bytes::{Buf, Bytes, BytesMut};
use futures_util::StreamExt;
use std::future::{Ready, ready};

/// A body of one JSON value for each line, not read yet.
pub struct NdjsonBody {
    payload: Payload,
    announced: Option<usize>,
    limit: usize,
    setting: &'static str,
}

impl FromRequest for NdjsonBody {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(expected(request).map(|(endpoint, body)| Self {
            payload: payload.take(),
            announced: super::announced_length(request),
            limit: endpoint.limit(&body.limit),
            setting: body.limit.setting,
        }))
    }
}

impl NdjsonBody {
    /// The whole body, for what can only be done at once; the limit is that of the whole.
    ///
    /// # Errors
    /// The body is larger than the limit or breaks off.
    pub async fn all(mut self) -> Result<Bytes, Refusal> {
        read_limited(&mut self.payload, self.announced, self.limit, self.setting).await
    }

    /// Line by line; the limit is that of one line.
    pub fn lines(self) -> Lines {
        Lines {
            payload: self.payload,
            buffer: BytesMut::new(),
            searched: 0,
            limit: self.limit,
            number: 0,
            skipping: false,
            ended: false,
        }
    }
}

/// The lines of a body. Memory holds one line and what came with it.
pub struct Lines {
    payload: Payload,
    buffer: BytesMut,
    searched: usize,
    limit: usize,
    number: u64,
    /// Within a line that is too long.
    skipping: bool,
    ended: bool,
}

/// One line.
#[derive(Debug)]
pub enum Line {
    /// Its text without the line end.
    Text(Bytes),
    /// It is longer than the limit; its text is gone.
    TooLong,
}

impl Lines {
    /// The most bytes of one line.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The next line with its number, from 1. Blank lines are counted and passed over. Dropping the future loses nothing.
    ///
    /// # Errors
    /// The body breaks off.
    pub async fn next(&mut self) -> Result<Option<(u64, Line)>, PayloadError> {
        loop {
            let Some(line) = self.raw().await? else { return Ok(None) };
            self.number += 1;
            match line {
                Line::Text(text) if text.trim_ascii().is_empty() => {}
                line => return Ok(Some((self.number, line))),
            }
        }
    }

    /// Whether a whole line is in memory, so that [`Lines::next`] does not wait.
    pub fn is_ready(&mut self) -> bool {
        self.ended || self.find_end().is_some()
    }

    fn find_end(&mut self) -> Option<usize> {
        let found = memchr::memchr(b'\n', &self.buffer[self.searched..]).map(|place| self.searched + place);
        // Where the next search begins: at the line end, so that it is found at once, or behind what has none.
        self.searched = found.unwrap_or(self.buffer.len());
        found
    }

    async fn raw(&mut self) -> Result<Option<Line>, PayloadError> {
        loop {
            if let Some(end) = self.find_end() {
                return Ok(Some(self.take(end, 1)));
            }
            if self.buffer.len() > self.limit {
                self.skipping = true;
                self.buffer.clear();
                self.searched = 0;
            }
            match self.payload.next().await {
                Some(chunk) => self.buffer.extend_from_slice(&chunk?),
                None => {
                    self.ended = true;
                    let nothing = self.buffer.is_empty() && !self.skipping;
                    return Ok((!nothing).then(|| self.take(self.buffer.len(), 0)));
                }
            }
        }
    }

    /// Takes the line that ends at `end`, and the line end behind it.
    fn take(&mut self, end: usize, line_end: usize) -> Line {
        let mut line = self.buffer.split_to(end);
        self.buffer.advance(line_end);
        self.searched = 0;
        if line.last() == Some(&b'\r') {
            line.truncate(line.len() - 1);
        }
        if std::mem::take(&mut self.skipping) || line.len() > self.limit {
            return Line::TooLong;
        }
        Line::Text(line.freeze())
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};
    use actix_web::dev::Payload;
    use bytes::{Bytes, BytesMut};
    use futures_util::stream;

    fn lines(parts: &'static [&'static str], limit: usize) -> Lines {
        let parts = stream::iter(parts.iter().map(|part| Ok(Bytes::from_static(part.as_bytes()))));
        let payload: Payload = Payload::Stream { payload: Box::pin(parts) };
        Lines { payload, buffer: BytesMut::new(), searched: 0, limit, number: 0, skipping: false, ended: false }
    }

    async fn read(mut lines: Lines) -> Vec<(u64, String)> {
        let mut read = Vec::new();
        while let Some((number, line)) = lines.next().await.unwrap() {
            read.push((
                number,
                match line {
                    Line::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                    Line::TooLong => "too long".to_owned(),
                },
            ));
        }
        read
    }

    fn expect(lines: &[(u64, &str)]) -> Vec<(u64, String)> {
        lines.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[actix_web::test]
    async fn lines_are_cut_wherever_the_parts_end() {
        let read_all = read(lines(&["a", "b\nc\r\n", "\n  \nd", "e"], 100)).await;
        assert_eq!(read_all, expect(&[(1, "ab"), (2, "c"), (5, "de")]));
        assert!(read(lines(&[], 100)).await.is_empty());
        assert!(read(lines(&["\n\n"], 100)).await.is_empty());
    }

    #[actix_web::test]
    async fn a_line_over_the_limit_is_named_and_the_next_one_is_read() {
        let read_all = read(lines(&["1234\n12345\n", "1", "2345", "6789012", "\nok\n", "123456"], 4)).await;
        assert_eq!(read_all, expect(&[(1, "1234"), (2, "too long"), (3, "too long"), (4, "ok"), (5, "too long")]));
    }
}
