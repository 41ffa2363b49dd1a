//! Lists that come in pages.

use crate::ClientError;
use futures_util::{Stream, stream};
use std::{future::Future, pin::Pin};

/// One page, and how to ask for the next.
pub(crate) struct Page<T> {
    pub(crate) entries: Vec<T>,
    pub(crate) continuation_token: Option<String>,
    pub(crate) cursor: Option<String>,
}

type Fetching<T> = Pin<Box<dyn Future<Output = Result<Page<T>, ClientError>> + Send>>;
type Fetch<T> = Box<dyn Fn(Option<String>) -> Fetching<T> + Send + Sync>;

/// A list that is fetched page by page.
pub struct Pages<T> {
    fetch: Fetch<T>,
    next: Next,
    cursor: Option<String>,
}

enum Next {
    First,
    After(String),
    End,
}

impl<T: Send + 'static> Pages<T> {
    pub(crate) fn new(fetch: impl Fn(Option<String>) -> Fetching<T> + Send + Sync + 'static) -> Self {
        Self { fetch: Box::new(fetch), next: Next::First, cursor: None }
    }

    /// The next page; none after the last. After an error the same page is asked for again.
    ///
    /// # Errors
    /// As every call.
    pub async fn next_page(&mut self) -> Result<Option<Vec<T>>, ClientError> {
        let token = match &self.next {
            Next::First => None,
            Next::After(token) => Some(token.clone()),
            Next::End => return Ok(None),
        };
        let page = (self.fetch)(token.clone()).await?;
        if token.is_none() {
            self.cursor = page.cursor;
        }
        // The same token again would go on for ever.
        self.next = match page.continuation_token {
            Some(next) if Some(&next) != token.as_ref() => Next::After(next),
            _ => Next::End,
        };
        Ok(Some(page.entries))
    }

    /// The place in the change feed that the list's first page was made at; none before it was fetched, and for lists
    /// that have none.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// All entries of the pages that are left.
    ///
    /// # Errors
    /// As every call; the entries of earlier pages are lost.
    pub async fn all(&mut self) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        while let Some(mut page) = self.next_page().await? {
            all.append(&mut page);
        }
        Ok(all)
    }

    /// The entries one by one. An error is the last item.
    pub fn into_stream(self) -> impl Stream<Item = Result<T, ClientError>> + Send {
        stream::unfold(Some((self, Vec::new().into_iter())), |state| async move {
            let (mut pages, mut entries) = state?;
            loop {
                if let Some(entry) = entries.next() {
                    return Some((Ok(entry), Some((pages, entries))));
                }
                match pages.next_page().await {
                    Ok(Some(page)) => entries = page.into_iter(),
                    Ok(None) => return None,
                    Err(error) => return Some((Err(error), None)),
                }
            }
        })
    }
}
