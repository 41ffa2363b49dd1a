//! The pages as a service that a server carries.

use crate::assets::Assets;
use crate::examples::Examples;
use crate::{error_page, frame, pages};
use actix_web::web::{Data, ServiceConfig};
use registry::Registry;
use service::{Api, ErrorPage, HttpService, Operation, Refused};
use std::sync::Arc;

/// What the pages are told beside the registry.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether a queue answers on this origin; without one the pages say so.
    pub has_queue: bool,
}

/// What handlers share.
pub(crate) struct State {
    pub(crate) registry: Arc<Registry>,
    pub(crate) assets: Assets,
    pub(crate) options: Options,
    pub(crate) examples: Examples,
}

/// The pages over a registry.
pub struct WebUi {
    state: Data<State>,
}

impl WebUi {
    /// The service.
    pub fn new(registry: Arc<Registry>, options: Options) -> Self {
        Self { state: Data::new(State { registry, assets: Assets::load(), options, examples: Examples::new() }) }
    }
}

impl HttpService for WebUi {
    fn name(&self) -> &'static str {
        "web-ui"
    }

    /// Pages stand at the root.
    fn prefix(&self) -> String {
        String::new()
    }

    fn operations(&self) -> Vec<&'static Operation> {
        pages::OPERATIONS.to_vec()
    }

    fn routes(&self, api: Api) -> Api {
        pages::bind(api)
    }

    fn state(&self, config: &mut ServiceConfig) {
        config.app_data(self.state.clone());
    }

    fn error_page(&self, refused: &Refused<'_>) -> Option<ErrorPage> {
        let html = error_page::page(&self.state.assets, refused);
        Some(ErrorPage { html, headers: frame::headers(None) })
    }
}
