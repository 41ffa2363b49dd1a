//! How a store behaves: one set of rules, held by SQLite and by PostgreSQL.
#![expect(clippy::unwrap_used, reason = "tests")]

/// Makes of each rule, a function of a fresh [`backend::Backend`], a test for each backend.
macro_rules! on_both {
    ($($name:ident)*) => { $(
        mod $name {
            #[test]
            fn sqlite() {
                super::rules::$name(&crate::backend::Backend::sqlite());
            }

            #[test]
            fn postgres() {
                if let Some(backend) = crate::backend::Backend::postgres() {
                    super::rules::$name(&backend);
                }
            }
        }
    )* };
}

mod atomicity;
mod backend;
mod changes;
mod concurrency;
mod feed;
mod given;
mod imports;
mod model;
mod outages;
mod presence;
mod reads;
mod releases;
mod replicas;
mod texts;
mod waking;
