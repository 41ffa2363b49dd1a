//! `wm provision --plan`: the pool configurations that are live, and what the estimator would do about each.

use crate::cli::ProvisionArgs;
use crate::connection::connect_to;
use crate::documents::Document;
use crate::{Exit, Failure, Terminal};
use provisioner::{Counts, PlanReport};
use std::collections::BTreeMap;
use std::path::Path;
use worker_types::WorkerTypeId;

pub async fn run(args: &ProvisionArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let counts = args.counts.as_deref().map(counts).transpose()?.unwrap_or_default();
    let client = connect_to(&args.worker_manager_url, &args.credentials)?;
    let pools = provisioner::read_pools(&client).await?;
    let report = provisioner::plan(&pools.pools, &pools.faulty, &counts);
    if terminal.is_json() {
        terminal.json(&report)?;
    } else {
        tell(&report, args.counts.is_some(), terminal)?;
    }
    Ok(if report.faulty.is_empty() { Exit::Success } else { Exit::Negative })
}

fn tell(report: &PlanReport, counted: bool, terminal: &mut Terminal) -> Result<(), Failure> {
    if !counted {
        terminal
            .say("No counts were given (--counts FILE): each pool is planned as if nothing ran and nothing waited.");
    }
    for pool in &report.pools {
        terminal.line(pool.to_string().trim_end())?;
    }
    for error in &report.faulty {
        terminal.warn(format!("{}: {error}", error.worker_type_id));
    }
    for id in &report.without_pool {
        terminal.warn(format!("counts are given for {id}, which has no pool"));
    }
    if report.pools.is_empty() && report.faulty.is_empty() {
        terminal.line("No live worker type has a pool.")?;
    }
    Ok(())
}

fn counts(path: &Path) -> Result<BTreeMap<WorkerTypeId, Counts>, Failure> {
    let document = Document::read(path)?;
    serde_json::from_value(document.value().clone()).map_err(|error| {
        Failure::Usage(format!(
            "{}: {error}; counts are {{\"p/w\": {{\"pending\": 3, \"running\": 1}}}}",
            path.display()
        ))
    })
}
