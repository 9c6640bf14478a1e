//! `s3fast-md5-bench`: MD5 rates of libs3fast's lanes.
//!
//! Every kernel of every tier that this CPU runs, the lane server and the batch call, against
//! OpenSSL's MD5 in the same process and against published crates; on one core and on all. Rates
//! are MB (10^6 bytes) per second of CPU time. The last line counts the verdicts; the exit code is
//! 0 only when all of them are met.
//!
//! Arguments: `--rounds N` (9), `--bursts N` (10), `--wait SECONDS` (120) for quiet moments.

mod data;
mod measure;
mod peers;
mod quiet;
mod rows;
mod server;
mod verdict;

use measure::{Effort, Row, allowed_cpus, median, pin};
use rows::{KernelRow, Lab};
use s3fast::simd::cpu::Tier;
use s3fast::simd::md5::Engine;
use std::process::ExitCode;
use std::time::Duration;
use verdict::Verdicts;

const KIB: usize = 1 << 10;
const SIZES: [usize; 4] = [32 * KIB, 256 * KIB, 1024 * KIB, 8192 * KIB];
/// The sizes at which ratios are promised.
const PROMISED: [usize; 3] = [32 * KIB, 256 * KIB, 1024 * KIB];
const LANES: [usize; 7] = [1, 2, 4, 8, 16, 24, 32];

/// Kernel, its tier, and its promised ratio to OpenSSL.
const RATIOS: [(&str, Tier, f64); 6] = [
    ("avx512 16x2", Tier::Avx512, 16.0),
    ("avx2 8x3", Tier::Avx2, 9.0),
    ("sse2 4x3", Tier::Sse2, 4.5),
    ("avx512vl 4x2", Tier::Avx512Vl, 6.5),
    ("avx512vl 4x1", Tier::Avx512Vl, 3.4),
    ("avx512vl 1x1", Tier::Avx512Vl, 1.1),
];

/// No crate is faster: its rate is at most ours.
const NO_FASTER: f64 = 1.0;

fn main() -> ExitCode {
    let rounds = argument("--rounds").unwrap_or(9);
    let effort = Effort { bursts: argument("--bursts").unwrap_or(10), burst_bytes: 2 << 20 };
    let cpus = allowed_cpus();
    let lab = Lab::new(&SIZES, effort, &cpus);
    println!(
        "tiers: {}; in use: {}; CPUs: {}; {rounds} rounds",
        lab.engines().iter().map(|e| e.tier().name()).collect::<Vec<_>>().join(" "),
        lab.best().tier().name(),
        cpus.len()
    );

    let mut kernels: Vec<KernelRow> = SIZES.iter().flat_map(|s| lab.kernels(*s)).collect();
    let mut servers: Vec<Row> = SIZES.iter().map(|s| lab.server(*s)).collect();
    let mut peers: Vec<(usize, [Row; 2])> = Vec::new();
    for size in SIZES {
        peers.extend(LANES.iter().map(|n| (*n, lab.peers(*n, size))));
    }
    let mut cores: Vec<Row> = SIZES.iter().flat_map(|s| lab.all_cores(*s)).collect();
    let mut two_cores = (cpus.len() >= 2).then(|| lab.two_cores(SIZES[0]));

    quiet::calibrate(Duration::from_secs(argument("--wait").unwrap_or(120) as u64));
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        // One core: whatever is compared runs on the same one, each in its turn.
        let i = round % cpus.len();
        pin(&cpus[i..=i]);
        kernels.iter_mut().for_each(|k| k.row.sample());
        servers.iter_mut().for_each(Row::sample);
        peers.iter_mut().flat_map(|(_, rows)| rows).for_each(Row::sample);
        pin(&cpus);
        cores.iter_mut().chain(&mut two_cores).for_each(Row::sample);
    }

    for size in SIZES {
        heading(&format!("one core, {}", size_name(size)), "openssl", "new");
        kernels.iter().filter(|k| k.row.size == size).for_each(|k| print_row(&k.row));
        for tier in Tier::ALL.into_iter().filter(|t| Engine::of(*t).is_none()) {
            println!("{:<34} skipped: CPU", format!("{}/{}", tier.name(), size_name(size)));
        }
        heading("lane server against its kernel", "kernel", "server");
        servers.iter().filter(|r| r.size == size).for_each(print_row);
        heading("batch call against published crates", "crate", "batch");
        let of_size = |(_, rows): &&(usize, [Row; 2])| rows[0].size == size;
        peers.iter().filter(of_size).flat_map(|(_, rows)| rows).for_each(print_row);
        heading(&format!("{} cores, {}", cpus.len(), size_name(size)), "one", "all");
        cores.iter().chain(&two_cores).filter(|r| r.size == size).for_each(print_row);
    }

    println!("\nquiet moments: {:.0} percent of the looks", 100.0 * quiet::share());
    let verdicts = judge(&kernels, &servers, &peers, two_cores.as_ref());
    if verdicts.report() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn judge(
    kernels: &[KernelRow],
    servers: &[Row],
    peers: &[(usize, [Row; 2])],
    two_cores: Option<&Row>,
) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let row = |kernel: &str, size| {
        kernels.iter().find(|k| k.kernel == kernel && k.row.size == size).map(|k| &k.row)
    };
    for (kernel, tier, goal) in RATIOS {
        for size in PROMISED {
            let name = format!("{kernel}/{}", size_name(size));
            // A kernel may serve in two tiers; it is promised in the one it is named after.
            match row(kernel, size).filter(|_| Engine::of(tier).is_some()) {
                Some(row) => verdicts.expect(name, row.ratio(), goal),
                None => println!("{name} skipped: CPU"),
            }
        }
    }
    match (row("avx512 16x2", SIZES[0]), row("avx512 16x2", SIZES[3])) {
        (Some(small), Some(large)) => {
            let kept = large.new_rate() / small.new_rate();
            verdicts.expect("avx512 16x2/8MB of 32KB", kept, 0.9);
        }
        _ => println!("avx512 16x2/8MB of 32KB skipped: CPU"),
    }
    for server in servers.iter().filter(|r| PROMISED.contains(&r.size)) {
        verdicts.expect(format!("server/{}", size_name(server.size)), server.ratio(), 0.95);
    }
    match two_cores {
        Some(row) => verdicts.expect("two cores of one", row.ratio(), 1.8),
        None => println!("two cores of one skipped: CPU"),
    }
    for lanes in [4, 8, 16, 32] {
        let of_lanes = peers.iter().filter(|(n, _)| *n == lanes).map(|(_, rows)| rows);
        let promised = of_lanes.filter(|rows| PROMISED.contains(&rows[0].size));
        // In each round against the better crate of that round.
        let ratios = promised.flat_map(|[a, b]| a.ratios().zip(b.ratios()).map(|(a, b)| a.min(b)));
        verdicts.expect(format!("{lanes} lanes/best crate"), median(ratios), NO_FASTER);
    }
    verdicts
}

/// The value behind `name` on the command line.
fn argument(name: &str) -> Option<usize> {
    let mut arguments = std::env::args().skip_while(|a| a != name).skip(1);
    arguments.next()?.parse().ok().filter(|n| *n > 0)
}

fn heading(what: &str, old: &str, new: &str) {
    let (old, new) = (format!("{old} MB/s"), format!("{new} MB/s"));
    println!("\n{what:<36} {old:>13} {new:>13} {:>9}", "speedup");
}

fn print_row(row: &Row) {
    let name = format!("{}/{}", row.name, size_name(row.size));
    println!("{name:<36} {:>13.2} {:>13.2} {:>8.2}x", row.old(), row.new_rate(), row.ratio());
}

fn size_name(size: usize) -> String {
    if size < 1 << 20 { format!("{}KB", size >> 10) } else { format!("{}MB", size >> 20) }
}
