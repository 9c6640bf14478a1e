//! What tests ask of the layer itself, under `/__fault/`, on the same port; never logged.
//!
//! | request | does |
//! |---|---|
//! | `PUT script` | a new script, its counters at zero; its objects are added |
//! | `GET log`, `DELETE log` | the log as JSON lines; clears it |
//! | `GET stats` | counts as one JSON object |
//! | `GET object?path=P` | size, ETag, MD5 and SHA-256 of an object kept here |
//! | `POST kill` | resets every open connection |

use crate::http::{Body, Request};
use crate::script::Script;
use crate::serve::{Layer, lock, reset};
use crate::sums::{Algorithm, hex};
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub fn load(layer: &Layer, text: &[u8]) -> Result<(), String> {
    let script: Script = serde_json::from_slice(text).map_err(|e| e.to_string())?;
    let mut world = lock(&layer.world);
    for object in &script.objects {
        world.set(object);
    }
    *lock(&layer.script) = script;
    Ok(())
}

pub fn answer(
    layer: &Arc<Layer>,
    request: &Request,
    from: &mut BufReader<TcpStream>,
    mut to: &TcpStream,
) -> io::Result<()> {
    let (mut body, mut framed) = (Vec::new(), Body::new(request.framing()));
    while let Some(block) = framed.next(from)? {
        body.extend(block);
    }
    let what = request.path.trim_start_matches("/__fault/");
    let (status, text) = match (request.method.as_str(), what) {
        ("PUT", "script") => match load(layer, &body) {
            Ok(()) => (200, String::new()),
            Err(e) => (400, e),
        },
        ("GET", "log") => (200, layer.log.text()),
        ("DELETE", "log") => {
            layer.log.clear();
            (200, String::new())
        }
        ("GET", "stats") => (200, stats(layer)),
        ("GET", "object") => {
            let found = lock(&layer.world).find(request.query("path").unwrap_or(""));
            match found {
                Some(o) => {
                    let sums = o.content.sum(&[Algorithm::Md5, Algorithm::Sha256]);
                    let text = serde_json::json!({
                        "size": o.content.len(),
                        "etag": o.etag,
                        "md5": hex(&sums[&Algorithm::Md5]),
                        "sha256": hex(&sums[&Algorithm::Sha256]),
                    });
                    (200, text.to_string())
                }
                None => (404, String::new()),
            }
        }
        ("POST", "kill") => {
            for stream in lock(&layer.open).values() {
                if stream.as_raw_fd() != to.as_raw_fd() && !same_peer(stream, to) {
                    reset(stream);
                }
            }
            (200, String::new())
        }
        _ => (404, format!("{} {what} is unknown\n", request.method)),
    };
    let head = format!("HTTP/1.1 {status} Admin\r\nContent-Length: {}\r\n\r\n", text.len());
    to.write_all(head.as_bytes())?;
    to.write_all(text.as_bytes())
}

/// The table holds another descriptor of the asking connection.
fn same_peer(a: &TcpStream, b: &TcpStream) -> bool {
    matches!((a.peer_addr(), b.peer_addr()), (Ok(a), Ok(b)) if a == b)
}

fn stats(layer: &Layer) -> String {
    let rules: serde_json::Map<String, serde_json::Value> = lock(&layer.script)
        .rules
        .iter()
        .enumerate()
        .map(|(i, r)| {
            let name = if r.name.is_empty() { format!("rule {i}") } else { r.name.clone() };
            (name, r.hits.into())
        })
        .collect();
    serde_json::json!({
        "connections": layer.connections.load(Ordering::Relaxed),
        "open": lock(&layer.open).len(),
        "open_most": layer.open_most.load(Ordering::Relaxed),
        "in_flight_most": layer.in_flight_most.load(Ordering::Relaxed),
        "open_uploads": lock(&layer.world).open_uploads(),
        "hits": rules,
    })
    .to_string()
}
