//! Pool configurations, read and followed through worker-manager, and what would be done about them: [`estimate()`] is pure
//! and explains itself, [`plan()`] applies it to every pool. Nothing is started or stopped here, and no cloud is known.

mod estimate;
mod plan;
mod pool;
mod read;
mod watch;

pub use estimate::{Counts, Plan, estimate};
pub use plan::{PlanReport, PoolPlan, plan};
pub use pool::{PoolConfig, PoolError, ProviderConfig};
pub use read::{PoolList, read_pools};
pub use watch::{PoolChange, PoolWatch};
