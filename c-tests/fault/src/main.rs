//! A fault layer: stands before an S3 server, or answers by itself, and serves scripted faults.
//!
//! Prints `endpoint http://127.0.0.1:PORT` when it is ready, and ends with the process that
//! started it. The script is explained in `script.rs`, the requests of tests in `admin.rs`, a
//! line of the log in `log.rs`.

mod admin;
mod http;
mod log;
mod script;
mod serve;
#[allow(dead_code, reason = "shared with the server; not all of it is used here")]
#[path = "../../server/src/sums.rs"]
mod sums;
mod world;

use serve::Layer;
use std::fs::File;
use std::io::Write;
use std::net::{TcpListener, ToSocketAddrs};
use std::sync::Arc;

const HELP: &str = "\
s3fast-fault [options]
  --port N              0 = any free port
  --upstream HOST:PORT  pass requests on to this server; without it the layer answers itself
  --script FILE         JSON; may be replaced by PUT /__fault/script
  --log FILE            JSON lines, one when a request ends
";

fn end_with_parent() {
    let parent = std::os::unix::process::parent_id();
    // SAFETY: prctl with PR_SET_PDEATHSIG takes one integer and touches no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
    if std::os::unix::process::parent_id() != parent {
        std::process::exit(0);
    }
}

fn run() -> Result<(), String> {
    let (mut port, mut upstream, mut script, mut log) = (0, None, None, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--help" {
            print!("{HELP}");
            return Ok(());
        }
        let value = args.next().ok_or(format!("{arg} needs a value, or is unknown"))?;
        match arg.as_str() {
            "--port" => port = value.parse::<u16>().map_err(|e| format!("--port: {e}"))?,
            "--upstream" => {
                let at = value.trim_start_matches("http://").trim_end_matches('/');
                let mut found = at.to_socket_addrs().map_err(|e| format!("{at}: {e}"))?;
                upstream = found.next();
            }
            "--script" => {
                script = Some(std::fs::read(&value).map_err(|e| format!("{value}: {e}"))?)
            }
            "--log" => log = Some(File::create(&value).map_err(|e| format!("{value}: {e}"))?),
            _ => return Err(format!("{arg} is unknown\n{HELP}")),
        }
    }
    let layer = Arc::new(Layer {
        script: Default::default(),
        world: Default::default(),
        log: log::Log::new(log),
        upstream,
        open: Default::default(),
        connections: Default::default(),
        open_most: Default::default(),
        in_flight: Default::default(),
        in_flight_most: Default::default(),
    });
    if let Some(text) = script {
        admin::load(&layer, &text)?;
    }
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|e| e.to_string())?;
    println!("endpoint http://{}", listener.local_addr().map_err(|e| e.to_string())?);
    std::io::stdout().flush().map_err(|e| e.to_string())?;
    for stream in listener.incoming() {
        // Out of descriptors, mostly: those in use come back.
        let Ok(stream) = stream else {
            std::thread::sleep(std::time::Duration::from_millis(20));
            continue;
        };
        let layer = layer.clone();
        let started =
            std::thread::Builder::new().stack_size(512 << 10).spawn(move || layer.serve(stream));
        if let Err(e) = started {
            eprintln!("s3fast-fault: {e}");
        }
    }
    Ok(())
}

fn main() {
    end_with_parent();
    if let Err(e) = run() {
        eprintln!("s3fast-fault: {e}");
        std::process::exit(2);
    }
}
