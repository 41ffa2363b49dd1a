//! A pool configuration, typed where every provider agrees, and kept as it is where they do not.

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;
use worker_manager_client::WorkerType;
use worker_types::{Definition, Generation, Item, Object, RevisionNumber, WorkerTypeId};

/// How the workers of one worker type are provisioned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolConfig {
    /// Whose workers.
    pub worker_type_id: WorkerTypeId,
    /// Who turns the configuration into workers.
    pub provider_id: String,
    /// As the provider's own schema says.
    pub config: ProviderConfig,
    /// Whom to tell about launch errors.
    pub owner: Option<String>,
    /// Whether to tell them by e-mail.
    pub email_on_error: bool,
    /// Of the worker type when this was read.
    pub generation: Generation,
    /// That this is part of.
    pub revision: RevisionNumber,
}

/// A provider's configuration. The four fields that decide how many workers there are have the names and meanings that
/// Taskcluster's providers give them; capacity counts tasks that can run at the same time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderConfig {
    /// Never less; 0 where nothing is said.
    pub min_capacity: u64,
    /// Never more. Without it nothing is planned.
    pub max_capacity: Option<u64>,
    /// Tasks that one worker runs at the same time; of several launch configurations the largest. 1 where nothing is said.
    pub capacity_per_instance: u64,
    /// How much new capacity a pending task asks for, from 0 to 1. 1 where nothing is said.
    pub scaling_ratio: f64,
    /// Everything else.
    #[serde(flatten)]
    pub other: Object,
}

/// A pool configuration that cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[error("the pool of {worker_type_id} cannot be used: {}", .errors.first().map_or("", |item| &item.message))]
pub struct PoolError {
    /// Whose.
    pub worker_type_id: WorkerTypeId,
    /// Each fault with its place in the definition.
    pub errors: Vec<Item>,
}

impl PoolConfig {
    /// The pool of a worker type, if it has one.
    ///
    /// # Errors
    /// The definition or the numbers in the pool's configuration cannot be read.
    pub fn read(worker_type: &WorkerType) -> Result<Option<Self>, PoolError> {
        let id = &worker_type.worker_type_id;
        let fail = |errors| PoolError { worker_type_id: id.clone(), errors };
        let definition = Definition::read(&worker_type.definition, id).map_err(fail)?;
        let Some(pool) = definition.pool else { return Ok(None) };
        Ok(Some(Self {
            worker_type_id: id.clone(),
            provider_id: pool.provider_id,
            config: ProviderConfig::read(pool.config).map_err(fail)?,
            owner: pool.owner.or(definition.owner),
            email_on_error: pool.email_on_error,
            generation: worker_type.generation,
            revision: worker_type.revision,
        }))
    }
}

impl ProviderConfig {
    /// Reads what every provider has, and keeps the rest.
    ///
    /// # Errors
    /// Each number that is none, or out of its bounds.
    pub fn read(mut config: Object) -> Result<Self, Vec<Item>> {
        let per_launch_config = largest_capacity(&config);
        let mut faults = Vec::new();
        let mut count = |name: &str, least: u64| {
            let value = config.shift_remove(name)?;
            let whole = whole(&value).filter(|number| *number >= least);
            if whole.is_none() {
                faults.push(fault(name, &format!("an integer from {least}"), &value));
            }
            whole
        };
        let (min_capacity, max_capacity) = (count("minCapacity", 0), count("maxCapacity", 0));
        let capacity_per_instance = count("capacityPerInstance", 1).or(per_launch_config);
        let scaling_ratio = config.shift_remove("scalingRatio").and_then(|value| {
            let ratio = value.as_f64().filter(|ratio| (0.0..=1.0).contains(ratio));
            if ratio.is_none() {
                faults.push(fault("scalingRatio", "a number from 0 to 1", &value));
            }
            ratio
        });
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            min_capacity: min_capacity.unwrap_or(0),
            max_capacity,
            capacity_per_instance: capacity_per_instance.unwrap_or(1),
            scaling_ratio: scaling_ratio.unwrap_or(1.0),
            other: config,
        })
    }
}

/// The largest capacity that a launch configuration gives a worker; in its newer and in its older place.
fn largest_capacity(config: &Object) -> Option<u64> {
    let launch_configs = config.get("launchConfigs")?.as_array()?;
    let of = |launch_config: &Value| {
        let newer = launch_config.pointer("/workerManager/capacityPerInstance");
        whole(newer.or_else(|| launch_config.get("capacityPerInstance"))?).filter(|capacity| *capacity >= 1)
    };
    launch_configs.iter().map(|launch_config| of(launch_config).unwrap_or(1)).max()
}

/// `3` and `3.0` are the same number.
fn whole(value: &Value) -> Option<u64> {
    let of_float = |number: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number within bounds")]
        (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64)
    };
    value.as_u64().or_else(|| value.as_f64().and_then(of_float))
}

fn fault(name: &str, expected: &str, value: &Value) -> Item {
    let pointer = format!("/pool/config/{name}");
    let actual: String = value.to_string().chars().take(80).collect();
    Item::new("invalid-value", pointer.clone(), format!("{pointer} must be {expected}")).contrast(expected, actual)
}

#[cfg(test)]
mod tests {
    use super::{PoolConfig, ProviderConfig};
    use serde_json::{Value, json};
    use worker_manager_client::WorkerType;

    fn config(value: Value) -> Result<ProviderConfig, Vec<String>> {
        let Value::Object(object) = value else { panic!() };
        ProviderConfig::read(object).map_err(|faults| faults.into_iter().map(|item| item.pointer).collect())
    }

    fn worker_type(definition: &Value) -> WorkerType {
        serde_json::from_value(json!({
            "workerTypeId": "p/w", "generation": 4, "revision": 3, "contentHash": format!("sha256:{}", "0".repeat(64)), "definition": definition,
        }))
        .unwrap()
    }

    #[test]
    fn what_every_provider_has_is_typed_and_the_rest_is_kept() {
        let read = config(json!({"minCapacity": 1, "maxCapacity": 10.0, "scalingRatio": 0.5, "capacityPerInstance": 2, "zones": ["a"]})).unwrap();
        assert_eq!((read.min_capacity, read.max_capacity, read.capacity_per_instance), (1, Some(10), 2));
        assert_eq!((read.scaling_ratio, Value::Object(read.other.clone())), (0.5, json!({"zones": ["a"]})));
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!((&written["maxCapacity"], &written["zones"]), (&json!(10), &json!(["a"])));
        let nothing = config(json!({})).unwrap();
        assert_eq!((nothing.min_capacity, nothing.max_capacity, nothing.capacity_per_instance), (0, None, 1));
    }

    #[test]
    fn launch_configurations_say_how_much_a_worker_takes() {
        // The shapes of Taskcluster's config-aws and config-google: workerManager's field, and the deprecated one.
        let several = json!({"launchConfigs": [{"workerManager": {"capacityPerInstance": 2}}, {"capacityPerInstance": 4}, {}], "maxCapacity": 8});
        let read = config(several.clone()).unwrap();
        assert_eq!((read.capacity_per_instance, &read.other["launchConfigs"]), (4, &several["launchConfigs"]));
        assert_eq!(config(json!({"launchConfigs": []})).unwrap().capacity_per_instance, 1);
    }

    #[test]
    fn every_number_that_is_none_is_named() {
        let wrong = json!({"minCapacity": -1, "maxCapacity": "10", "scalingRatio": 1.5, "capacityPerInstance": 0});
        let places = ["minCapacity", "maxCapacity", "capacityPerInstance", "scalingRatio"];
        assert_eq!(config(wrong).unwrap_err(), places.map(|name| format!("/pool/config/{name}")));
        assert_eq!(config(json!({"minCapacity": 1.5})).unwrap_err(), ["/pool/config/minCapacity"]);
    }

    #[test]
    fn a_pool_knows_whose_it_is_and_a_worker_type_without_one_has_none() {
        let pool = json!({"providerId": "aws", "config": {"maxCapacity": 5}, "emailOnError": true});
        let read = PoolConfig::read(&worker_type(&json!({"description": "x", "owner": "o@example.com", "pool": pool})))
            .unwrap()
            .unwrap();
        assert_eq!(
            (read.worker_type_id.as_str(), read.provider_id.as_str(), read.owner.as_deref()),
            ("p/w", "aws", Some("o@example.com"))
        );
        assert_eq!((read.generation.0, read.revision.0, read.email_on_error), (4, 3, true));
        assert_eq!(PoolConfig::read(&worker_type(&json!({"description": "x"}))), Ok(None));
        let wrong = json!({"description": "x", "pool": {"providerId": "aws", "config": {"maxCapacity": null}}});
        let error = PoolConfig::read(&worker_type(&wrong)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the pool of p/w cannot be used: /pool/config/maxCapacity must be an integer from 0"
        );
    }
}
