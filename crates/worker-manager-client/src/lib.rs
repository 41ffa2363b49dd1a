//! worker-manager-client
