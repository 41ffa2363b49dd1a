//! What the handlers share.

use crate::Options;
use registry::Registry;
use std::sync::Arc;

/// What the handlers share.
pub(crate) struct State {
    pub(crate) registry: Arc<Registry>,
    pub(crate) options: Options,
}
