//! `wm show`: one definition, in the few lines that its authors ask for first. All of it is in `--output json`.

use crate::cli::ShowArgs;
use crate::connection::connect;
use crate::terminal::{FAINT, NAME, WARN};
use crate::{Exit, Failure, Terminal};
use serde_json::{Value, json};
use worker_manager_client::{Revision, WorkerType};
use worker_types::{Definition, LifecycleState, RolloutPolicy, Variant, VariantSource, WorkerTypeId};

pub async fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<Exit, Failure> {
    let client = connect(&args.server)?;
    let (answer, definition, published, rollout) = if let Some(number) = args.revision {
        let revision = client.revision(&args.id, number).await?;
        (json!(revision), revision.definition.clone(), of_revision(&revision), None)
    } else {
        let live = client.worker_type(&args.id).await?;
        (json!(live), live.definition.clone(), of_live(&live), Some(rollout_of(&live)))
    };
    if terminal.is_json() {
        terminal.json(&answer)?;
    } else {
        terminal.line(text(&args.id, &definition, &published, rollout.as_deref()))?;
    }
    Ok(Exit::Success)
}

fn of_live(live: &WorkerType) -> String {
    let words = published(live.published_at.as_deref(), live.published_by.as_deref(), live.message.as_deref());
    format!("{} (generation {}){words}", live.revision, live.generation)
}

/// How a rollout of what is live stands: the definition says only how it began.
fn rollout_of(live: &WorkerType) -> String {
    let Some(rollout) = &live.rollout else { return format!("over: revision {} is live alone", live.revision) };
    let until =
        rollout.completes_at.as_ref().map_or("until somebody completes it".to_owned(), |at| format!("until {at}"));
    format!("open: revision {} is live too, {until}", rollout.from)
}

fn of_revision(revision: &Revision) -> String {
    let words = published(Some(&revision.published_at), Some(&revision.published_by), revision.message.as_deref());
    format!("{}{words}", revision.revision)
}

fn published(at: Option<&str>, by: Option<&str>, message: Option<&str>) -> String {
    let at = at.map(|at| format!(", published {at}")).unwrap_or_default();
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    format!("{at}{by}{message}")
}

fn text(id: &WorkerTypeId, value: &Value, published: &str, rollout: Option<&str>) -> String {
    let mut lines = vec![format!("{NAME}{id}{NAME:#}")];
    let mut field = |name: &str, words: String| lines.push(format!("  {FAINT}{name:<14}{FAINT:#}{words}"));
    let Ok(definition) = Definition::read(value, id) else {
        // A newer server's definition may have fields that this version does not know.
        field("revision", published.to_owned());
        return lines.join("\n") + "\n" + crate::documents::to_yaml(value).trim_end();
    };
    field("description", definition.description.clone());
    if let Some(owner) = &definition.owner {
        field("owner", owner.clone());
    }
    field("lifecycle", lifecycle(&definition));
    field("validation", definition.validation.to_string());
    field("compatibility", definition.compatibility.to_string());
    if definition.rollout.policy != RolloutPolicy::Immediate {
        let after = value["rollout"]["completeAfter"].as_str();
        let after = after.map(|after| format!(", complete after {after}")).unwrap_or_default();
        let stands = rollout.map_or(after, |rollout| format!(", {rollout}"));
        field("rollout", format!("{}{stands}", definition.rollout.policy));
    }
    if definition.variants.len() > 1 {
        field("acceptance", definition.acceptance.to_string());
    }
    if !definition.tags.is_empty() {
        field("tags", definition.tags.join(", "));
    }
    for variant in &definition.variants {
        field("variant", variant_words(variant));
    }
    if let Some(pool) = &definition.pool {
        field("pool", pool.provider_id.clone());
    }
    for link in &definition.links {
        field("link", format!("{} <{}>", link.title, link.href));
    }
    field("revision", published.to_owned());
    lines.push(format!("  {FAINT}wm docs {id} prints the documentation, --output json the whole definition{FAINT:#}"));
    lines.join("\n")
}

fn lifecycle(definition: &Definition) -> String {
    let lifecycle = &definition.lifecycle;
    let style = if lifecycle.state == LifecycleState::Active { FAINT } else { WARN };
    let style = if lifecycle.state == LifecycleState::Active { anstyle::Style::new() } else { style };
    let message = lifecycle.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
    let instead = lifecycle.replaced_by.as_ref().map(|other| format!("; use {other} instead")).unwrap_or_default();
    format!("{style}{}{style:#}{message}{instead}", lifecycle.state.as_str())
}

fn variant_words(variant: &Variant) -> String {
    let source = match &variant.source {
        VariantSource::Release { id, variant: Some(name) } => format!("release {id}, its variant {name}"),
        VariantSource::Release { id, variant: None } => format!("release {id}"),
        VariantSource::Inline { implementation, contract } => {
            let program = implementation.as_ref().map(|implementation| {
                let version = implementation.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
                format!("{}{version}", implementation.name)
            });
            let chosen = contract.applies_when.as_ref().map(|_| "for the tasks that it applies to".to_owned());
            let schema =
                (contract.payload_schema.is_none() && contract.task_schema.is_none()).then(|| "no schema".to_owned());
            let parts: Vec<String> = [program, chosen, schema].into_iter().flatten().collect();
            parts.join(", ")
        }
    };
    if source.is_empty() { variant.name.clone() } else { format!("{} ({source})", variant.name) }
}
