//! payload-schema
