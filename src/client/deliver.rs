//! What waits on a transfer's delivery queue. Nothing here has a destructor while a caller's
//! callback runs: the item belongs to the pool and is dropped after `run`.

use std::sync::Arc;

use super::observer::{BodySlice, Outcome, RequestMetrics};
use super::transfer::MetaRequest;
use crate::delivery::Work;
use crate::http1::HeaderList;

pub(super) enum What {
    Head(u16, Arc<HeaderList>),
    Body(BodySlice),
    Progress(u64, u64),
    Telemetry(Arc<RequestMetrics>),
    Finish(Outcome),
    Shutdown,
}

pub(super) struct Item {
    pub(super) meta: Arc<MetaRequest>,
    pub(super) what: What,
}

impl Work for Item {
    fn run(&mut self) {
        let meta = &self.meta;
        if let What::Finish(outcome) = &mut self.what
            && outcome.error.is_none()
            && let Some(error) = meta.refusal().or(meta.skipped())
        {
            // The machine had finished before the last bytes were refused.
            *outcome = Outcome { error: Some(error), ..Outcome::default() };
        }
        match &self.what {
            What::Head(status, headers) => {
                if let Err(e) = meta.observer().on_headers(*status, headers) {
                    meta.refuse(e);
                }
            }
            What::Body(slice) => {
                if meta.is_ending() {
                    meta.skip();
                } else if let Err(e) = meta.observer().on_body(slice) {
                    meta.refuse(e);
                }
            }
            What::Progress(bytes, total) => meta.observer().on_progress(*bytes, *total),
            What::Telemetry(metrics) => meta.observer().on_telemetry(metrics),
            What::Finish(outcome) => {
                meta.observer().on_finish(outcome);
                meta.finish_told();
            }
            What::Shutdown => {
                meta.observer().on_shutdown();
                meta.client().transfer_ended();
            }
        }
        if let What::Body(slice) = &mut self.what {
            let len = slice.chunk.len() as u64;
            // The memory goes back before connections that wait for room are woken.
            slice.chunk = crate::buffer::Chunk::from_vec(Vec::new());
            self.meta.delivered(len);
        }
    }
}
