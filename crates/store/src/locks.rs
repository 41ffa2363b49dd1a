//! Who may write what at the same time. SQLite has one writer, and asks for nothing here.
//!
//! On PostgreSQL the locks are advisory, because an id may have no row yet. Each transaction takes them in this order:
//! the registry (shared, or whole for an import), then one subject, then the feed's row; so none waits in a circle.

use crate::failure::Failure;
use ::worker_types::{ReleaseId, WorkerTypeId};
use database::AnyConnection;
use diesel::sql_types::BigInt;
use diesel::{RunQueryDsl, sql_query};

/// Of the registry as a whole.
const REGISTRY: i64 = 0x776d_7265_6769_7374;

/// Until the transaction ends, nobody else changes this worker type.
pub(crate) fn worker_type(connection: &mut AnyConnection, id: &WorkerTypeId) -> Result<(), Failure> {
    subject(connection, &format!("worker type {id}"))
}

/// Until the transaction ends, nobody else publishes this release.
pub(crate) fn release(connection: &mut AnyConnection, id: &ReleaseId) -> Result<(), Failure> {
    subject(connection, &format!("release {id}"))
}

/// Until the transaction ends, nobody else changes anything.
pub(crate) fn everything(connection: &mut AnyConnection) -> Result<(), Failure> {
    if let AnyConnection::Postgresql(connection) = connection {
        sql_query("SELECT pg_advisory_xact_lock($1)").bind::<BigInt, _>(REGISTRY).execute(connection)?;
    }
    Ok(())
}

fn subject(connection: &mut AnyConnection, name: &str) -> Result<(), Failure> {
    if let AnyConnection::Postgresql(connection) = connection {
        sql_query("SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2)")
            .bind::<BigInt, _>(REGISTRY)
            .bind::<BigInt, _>(key(name))
            .execute(connection)?;
    }
    Ok(())
}

/// FNV-1a: the same in every version of this program. Two names with one key only wait for each other.
fn key(name: &str) -> i64 {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn keys_stay_the_same_from_version_to_version() {
        // The test vectors of the FNV specification (draft-eastlake-fnv, 64 bit FNV-1a).
        assert_eq!(key("").cast_unsigned(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(key("a").cast_unsigned(), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(key("foobar").cast_unsigned(), 0x8594_4171_f739_67e8);
    }
}
