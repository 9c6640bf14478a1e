//! Figures of a request's tries, collected only where a caller wants them.

use std::rc::Rc;

use super::observer::RequestMetrics;
use super::transfer::MetaRequest;
use crate::conn::Connection;
use crate::meta::{self, Op};
use crate::reactor::Loop;
use crate::sys::clock;

pub(super) fn new(meta: &MetaRequest, send: &meta::Send) -> RequestMetrics {
    let now = clock::now().0;
    let (part_number, part_range) = match &send.op {
        Op::UploadPart { number, range } => (Some(*number), Some((range.start, range.end - 1))),
        Op::Get { range: Some(r), .. } if !r.is_empty() => {
            (Some(send.id.0 + 1), Some((r.start, r.end - 1)))
        }
        _ => (None, None),
    };
    RequestMetrics {
        operation: super::compose::operation_name(&meta.plan, &send.op).to_owned(),
        request_type: super::compose::request_type(&meta.plan, &send.op),
        path_query: meta.plan.message.target.clone(),
        host: meta.plan.endpoint.host.clone(),
        is_https: meta.plan.endpoint.tls,
        part_number,
        part_range,
        started_ns: now,
        first_attempt_started_ns: now,
        ..RequestMetrics::default()
    }
}

pub(super) fn launched(m: &mut RequestMetrics, _lp: &Loop, connection: &Rc<Connection>) {
    let now = clock::now().0;
    m.ip = Some(connection.address().ip().to_string());
    m.connection_id = connection.id() as usize;
    m.connection_ptr = Rc::as_ptr(connection) as usize;
    m.stream_id = Some(connection.exchanges() * 2 + 1);
    m.thread_id = Some(crate::sys::thread::current_id());
    m.send_started_ns = Some(now);
}

pub(super) fn again(m: &mut RequestMetrics, tries: u32) {
    let first = m.first_attempt_started_ns;
    let now = clock::now().0;
    *m = RequestMetrics {
        operation: std::mem::take(&mut m.operation),
        request_type: m.request_type,
        path_query: std::mem::take(&mut m.path_query),
        host: std::mem::take(&mut m.host),
        is_https: m.is_https,
        part_number: m.part_number,
        part_range: m.part_range,
        retry_attempt: tries,
        started_ns: now,
        first_attempt_started_ns: first,
        ..RequestMetrics::default()
    };
}

pub(super) fn headed(m: &mut RequestMetrics, head: &crate::http1::ResponseHead) {
    let text = |name: &str| head.headers.get_str(name).map(str::to_owned);
    m.status = Some(head.status);
    m.request_id = text("x-amz-request-id");
    m.extended_request_id = text("x-amz-id-2");
    m.headers = Some(std::sync::Arc::new(head.headers.clone()));
    m.receive_started_ns = Some(clock::now().0);
}
