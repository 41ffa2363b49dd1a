//! worker-manager
