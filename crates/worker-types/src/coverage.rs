//! How much of a worker type its authors documented.

use serde::{Deserialize, Serialize};

/// How much of a worker type is documented.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DocumentationCoverage {
    /// Whether nothing is missing.
    pub complete: bool,
    /// How many properties payloads may have, over all variants.
    pub properties: usize,
    /// Those without a description in the schema, as `artifacts[].name`.
    pub undescribed: Vec<String>,
    /// Those whose name the documentation does not mention.
    pub unmentioned: Vec<String>,
    /// Variants that show no payload or task that is accepted.
    pub without_example: Vec<String>,
    /// Anchors that are linked to and not there, as `#limits`.
    pub dead_links: Vec<String>,
}
