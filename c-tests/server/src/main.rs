//! An S3 server on loopback for tests: `s3s` for the wire and the signatures, our own storage.
//!
//! Prints `endpoint http://127.0.0.1:PORT` when it is ready, and ends with the process that
//! started it. See `--help`.

mod s3;
mod store;
mod sums;

use hyper_util::rt::{TokioIo, TokioTimer};
use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::SimpleAuth;
use s3s::config::{S3Config, StaticConfigProvider};
use s3s::host::{S3Host, VirtualHost};
use s3s::service::S3ServiceBuilder;
use s3s::{S3Result, s3_error};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

const HELP: &str = "\
s3fast-test-server [options]
  --root DIR            where buckets are kept (a temporary folder, removed at the end)
  --port N              0 = any free port
  --address A           127.0.0.1
  --bucket NAME         a bucket that is to exist; may be repeated
  --access-key K        AKIDEXAMPLE
  --secret-key S        examplesecret
  --session-token T     every signed request must carry it
  --region R            us-east-1; a signature for another one is refused
  --host-bucket H=B     requests to host H are for bucket B; may be repeated
  --anonymous           unsigned requests are let in, too
  --min-part-size N     of all parts but the last (5242880)
";

struct Options {
    root: Option<PathBuf>,
    port: u16,
    address: String,
    buckets: Vec<String>,
    access_key: String,
    secret_key: String,
    gate: Gate,
    hosts: Vec<(String, String)>,
    min_part_size: u64,
}

/// What s3s does not check: the region of the signature, the session token, anonymous access.
#[derive(Default)]
struct Gate {
    region: String,
    session_token: Option<String>,
    anonymous: bool,
}

#[async_trait::async_trait]
impl S3Access for Gate {
    async fn check(&self, cx: &mut S3AccessContext<'_>) -> S3Result<()> {
        if cx.credentials().is_none() {
            return if self.anonymous {
                Ok(())
            } else {
                Err(s3_error!(AccessDenied, "Access Denied"))
            };
        }
        let header = |name: &str| cx.headers().get(name).and_then(|v| v.to_str().ok());
        // Credential=KEY/DATE/REGION/SERVICE/aws4_request
        let region = header("authorization")
            .and_then(|a| a.split("Credential=").nth(1))
            .and_then(|c| c.split('/').nth(2));
        if let Some(region) = region
            && region != self.region
        {
            let mut e = s3_error!(
                AuthorizationHeaderMalformed,
                "The authorization header is malformed; the region '{region}' is wrong; expecting '{}'",
                self.region
            );
            let mut headers = hyper::HeaderMap::new();
            if let Ok(value) = self.region.parse() {
                headers.insert("x-amz-bucket-region", value);
            }
            e.set_headers(headers);
            return Err(e);
        }
        match (&self.session_token, header("x-amz-security-token")) {
            (Some(want), got) if got != Some(want) => Err(s3_error!(
                InvalidToken,
                "The provided token is malformed or otherwise invalid."
            )),
            _ => Ok(()),
        }
    }
}

/// `BUCKET.localhost` and `BUCKET.s3.REGION.amazonaws.com` name a bucket; all else is path style.
/// A host given by `--host-bucket` means its bucket, too.
#[derive(Default)]
struct Hosts(Vec<(String, String)>);

impl S3Host for Hosts {
    fn parse_host_header<'a>(&'a self, host: &'a str) -> S3Result<VirtualHost<'a>> {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        if let Some((_, bucket)) = self.0.iter().find(|(host, _)| host == name) {
            return Ok(VirtualHost::new(name).with_bucket(bucket));
        }
        if let Some(bucket) = name.strip_suffix(".localhost") {
            return Ok(VirtualHost::new("localhost").with_bucket(bucket));
        }
        if let Some(front) = name.strip_suffix(".amazonaws.com")
            && let Some((bucket, _region)) = front.split_once(".s3")
        {
            return Ok(VirtualHost::new("amazonaws.com").with_bucket(bucket));
        }
        Ok(VirtualHost::new(host))
    }
}

/// Any name that is safe as the name of a folder.
struct Names;

impl s3s::validation::NameValidation for Names {
    fn validate_bucket_name(&self, name: &str) -> bool {
        !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
    }
}

fn options() -> Result<Options, String> {
    let mut o = Options {
        root: None,
        port: 0,
        address: "127.0.0.1".into(),
        buckets: Vec::new(),
        access_key: "AKIDEXAMPLE".into(),
        secret_key: "examplesecret".into(),
        gate: Gate { region: "us-east-1".into(), ..Gate::default() },
        hosts: Vec::new(),
        min_part_size: 5 << 20,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--anonymous" {
            o.gate.anonymous = true;
            continue;
        }
        if arg == "--help" {
            print!("{HELP}");
            std::process::exit(0);
        }
        let value = args.next().ok_or(format!("{arg} needs a value, or is unknown"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{arg}: {value} is no number"));
        match arg.as_str() {
            "--root" => o.root = Some(value.into()),
            "--port" => o.port = number()? as u16,
            "--address" => o.address = value,
            "--bucket" => o.buckets.push(value),
            "--access-key" => o.access_key = value,
            "--secret-key" => o.secret_key = value,
            "--session-token" => o.gate.session_token = Some(value),
            "--region" => o.gate.region = value,
            "--host-bucket" => {
                let (host, bucket) = value.split_once('=').ok_or("--host-bucket HOST=BUCKET")?;
                o.hosts.push((host.into(), bucket.into()));
            }
            "--min-part-size" => o.min_part_size = number()?,
            _ => return Err(format!("{arg} is unknown")),
        }
    }
    Ok(o)
}

/// The signal comes when the *thread* that started us ends; a parent already gone is seen here.
fn end_with_parent() {
    let parent = std::os::unix::process::parent_id();
    // SAFETY: prctl with PR_SET_PDEATHSIG takes one integer and touches no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
    if std::os::unix::process::parent_id() != parent {
        std::process::exit(0);
    }
}

fn main() {
    let options = match options() {
        Ok(o) => o,
        Err(e) => {
            eprint!("s3fast-test-server: {e}\n{HELP}");
            std::process::exit(2);
        }
    };
    end_with_parent();
    let temporary = options.root.is_none();
    let root = options.root.clone().unwrap_or_else(|| {
        std::env::temp_dir().join(format!("s3fast-server-{}", std::process::id()))
    });
    let served = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |n| n.get().min(4)))
        .enable_all()
        .build()
        .and_then(|runtime| {
            let served = runtime.block_on(serve(options, root.clone()));
            runtime.shutdown_background();
            served
        });
    if temporary {
        let _ = std::fs::remove_dir_all(&root);
    }
    if let Err(e) = served {
        eprintln!("s3fast-test-server: {e}");
        std::process::exit(1);
    }
}

async fn serve(o: Options, root: PathBuf) -> std::io::Result<()> {
    let store = store::Store::open(root)?;
    for bucket in &o.buckets {
        store.create_bucket(bucket)?;
    }
    let mut config = S3Config::default();
    config.xml_max_body_size = 32 << 20;
    let region = o.gate.region.clone();
    let mut builder = S3ServiceBuilder::new(s3::Files::new(store, region, o.min_part_size));
    builder.set_auth(SimpleAuth::from_single(o.access_key, o.secret_key.as_str()));
    builder.set_access(o.gate);
    builder.set_host(Hosts(o.hosts));
    builder.set_validation(Names);
    builder.set_config(Arc::new(StaticConfigProvider::new(Arc::new(config))));
    let service = builder.build();

    let listener = tokio::net::TcpListener::bind((o.address.as_str(), o.port)).await?;
    println!("endpoint http://{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    let mut end = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    loop {
        let stream = tokio::select! {
            _ = end.recv() => return Ok(()),
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of descriptors, mostly: those in use come back.
                Err(_) => { tokio::time::sleep(std::time::Duration::from_millis(20)).await; continue }
            },
        };
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        tokio::spawn(async move {
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .max_buf_size(1 << 20)
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}
