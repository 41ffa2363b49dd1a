//! The word that the server is about to stop, for streams that would otherwise never end.

use tokio::sync::watch;

/// Tells whether the server is about to stop. Handlers find it by `request.app_data::<Shutdown>()`.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Sender<bool>);

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}

impl Shutdown {
    /// One that was not requested.
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Whether the server is about to stop.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is.
    pub async fn requested(&self) {
        // The sender is in `self`: it is not dropped while this waits.
        let _ = self.0.subscribe().wait_for(|requested| *requested).await;
    }

    pub(crate) fn request(&self) {
        self.0.send_replace(true);
    }
}

/// Waits for SIGTERM or SIGINT.
///
/// # Errors
/// The process cannot listen for signals.
pub async fn stop_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
