//! Where a worker type stands in its life.

use crate::shape::Reading;
use crate::{Item, shape};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::str::FromStr;

use crate::settings::UnknownSetting;

/// The four states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LifecycleState {
    /// May change or go without notice.
    Experimental,
    /// In use.
    #[default]
    Active,
    /// Still accepts tasks; authors are told what replaces it.
    Deprecated,
    /// Refuses tasks.
    Retired,
}

impl LifecycleState {
    /// Every spelling.
    pub const NAMES: &'static [&'static str] = &["experimental", "active", "deprecated", "retired"];

    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Experimental => "experimental",
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Retired => "retired",
        }
    }
}

impl FromStr for LifecycleState {
    type Err = UnknownSetting;

    fn from_str(text: &str) -> Result<Self, UnknownSetting> {
        [Self::Experimental, Self::Active, Self::Deprecated, Self::Retired]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| UnknownSetting { given: text.to_owned(), known: Self::NAMES })
    }
}

/// The state, and for the last two the words for authors and the replacement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lifecycle {
    /// The state.
    pub state: LifecycleState,
    /// Why, and what to do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// The worker type to use instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replaced_by: Option<String>,
}

impl Lifecycle {
    pub(crate) fn read<'a>(value: &'a Value, pointer: &str, reading: &mut Reading<'a>) -> Self {
        let Some(mut fields) = shape::object(value, pointer, &["state", "message", "replacedBy"], reading) else {
            return Self::default();
        };
        fields.required("state");
        let state = fields.parsed("state", LifecycleState::NAMES).unwrap_or_default();
        let message = fields.text("message", 2_000);
        let replaced_by: Option<crate::WorkerTypeId> = fields.parsed("replacedBy", &[]);
        if fields.get("replacedBy").is_some() && matches!(state, LifecycleState::Active | LifecycleState::Experimental)
        {
            let message =
                format!("{} says what replaces a worker type that is deprecated or retired", fields.at("replacedBy"));
            let item = Item::new("invalid-value", fields.at("replacedBy"), message);
            fields.fault(item);
        }
        Self { state, message, replaced_by: replaced_by.map(String::from) }
    }
}
