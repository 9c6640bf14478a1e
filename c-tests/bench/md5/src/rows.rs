//! The rows of the tables: which two things each compares, and how.

use crate::data::Buffers;
use crate::measure::{Contender, Effort, Row, alternate, burst, pin};
use crate::peers::{PEERS, openssl_md5};
use crate::server;
use s3fast::checksum::lanes::{Job, Outcome, Scheduler};
use s3fast::checksum::md5_batch;
use s3fast::simd::cpu::Tier;
use s3fast::simd::md5::{BLOCK, Engine, Kernel, PREFETCH_FROM, States};
use std::hint::black_box;
use std::sync::{Arc, Barrier};

const BUFFERS: usize = 32;

/// What all rows share.
pub struct Lab {
    buffers: Vec<(usize, Arc<Buffers>)>,
    engines: Vec<&'static Engine>,
    best: &'static Engine,
    effort: Effort,
    cpus: Vec<usize>,
}

/// A row about a kernel against OpenSSL.
pub struct KernelRow {
    pub kernel: &'static str,
    pub row: Row,
}

impl Lab {
    /// Fills the buffers and makes sure that every tier hashes them as OpenSSL does: wrong digests
    /// have no rate.
    pub fn new(sizes: &[usize], effort: Effort, cpus: &[usize]) -> Lab {
        let buffers: Vec<_> =
            sizes.iter().map(|s| (*s, Arc::new(Buffers::new(BUFFERS, *s)))).collect();
        let engines: Vec<&Engine> = Tier::ALL.into_iter().filter_map(Engine::of).collect();
        for (_, buffers) in &buffers {
            let right: Vec<_> = buffers.slices(BUFFERS).into_iter().map(openssl_md5).collect();
            engines.iter().for_each(|engine| check(engine, buffers, &right));
        }
        Lab { buffers, engines, best: Engine::here(), effort, cpus: cpus.to_vec() }
    }

    pub fn engines(&self) -> &[&'static Engine] {
        &self.engines
    }
    pub fn best(&self) -> &'static Engine {
        self.best
    }

    fn buffers(&self, size: usize) -> Arc<Buffers> {
        let found = self.buffers.iter().find(|(s, _)| *s == size);
        Arc::clone(&found.expect("buffers of every size").1)
    }

    /// Large buffers make long bursts; fewer of them tell as much.
    fn bursts(&self, size: usize) -> usize {
        if size > 1 << 20 { self.effort.bursts.min(2) } else { self.effort.bursts }
    }

    pub fn kernels(&self, size: usize) -> Vec<KernelRow> {
        let mut kernels: Vec<&'static Kernel> = Vec::new();
        for kernel in self.engines.iter().flat_map(|e| e.kernels()) {
            if kernels.iter().all(|k| k.name() != kernel.name()) {
                kernels.push(kernel);
            }
        }
        kernels.into_iter().map(|k| self.kernel(k, size)).collect()
    }

    fn kernel(&self, kernel: &'static Kernel, size: usize) -> KernelRow {
        let (buffers, bursts, bytes) =
            (self.buffers(size), self.bursts(size), self.effort.burst_bytes);
        let row = Row::new(kernel.name().to_owned(), size, move || {
            let mut old = openssl_contender(&buffers, size);
            let mut new = kernel_contender(kernel, &buffers, size);
            // OpenSSL is slower: fewer bytes take as long.
            let lanes = kernel.lanes().min(8);
            let old = || burst(bytes / 8, &mut old);
            alternate(bursts, old, || burst(bytes / 8 * lanes, &mut new))
        });
        KernelRow { kernel: kernel.name(), row }
    }

    pub fn server(&self, size: usize) -> Row {
        let (buffers, bursts, bytes) =
            (self.buffers(size), self.bursts(size), 4 * self.effort.burst_bytes);
        let engine = self.best;
        Row::new(format!("{} server", engine.tier().name()), size, move || {
            // Started anew in each round: its thread stays on the CPU of the round.
            let servers = server::Loop::new(engine);
            let mut bare = kernel_contender(widest(engine), &buffers, size);
            let kernel = || burst(bytes, &mut bare);
            alternate(bursts, kernel, || servers.burst(&buffers, size, bytes))
        })
    }

    pub fn peers(&self, lanes: usize, size: usize) -> [Row; 2] {
        PEERS.each_ref().map(|peer| {
            let (buffers, bursts, bytes) =
                (self.buffers(size), self.bursts(size), self.effort.burst_bytes);
            let hash = peer.hash;
            let name = format!("{lanes} lanes/{}", peer.name);
            Row::new(name, size, move || {
                let slices = buffers.slices(lanes);
                let mut digests = vec![[0; 16]; lanes];
                let theirs = || hash(black_box(&slices), black_box(&mut digests));
                let ours = || {
                    black_box(md5_batch(black_box(&slices)));
                };
                let bytes_once = size * lanes;
                let mut old = Contender { bytes: bytes_once, run: Box::new(theirs) };
                let mut new = Contender { bytes: bytes_once, run: Box::new(ours) };
                let bytes = bytes / 8 * lanes.min(8);
                alternate(bursts, || burst(bytes, &mut old), || burst(bytes, &mut new))
            })
        })
    }

    /// OpenSSL and the widest kernel of every tier, on one core and on all.
    pub fn all_cores(&self, size: usize) -> Vec<Row> {
        let bytes = self.effort.burst_bytes;
        let openssl = move |b: &Buffers| burst(bytes / 4, &mut openssl_contender(b, size));
        let mut rows = vec![self.on_cores("openssl".to_owned(), self.cpus.len(), size, openssl)];
        for engine in &self.engines {
            let kernel = widest(engine);
            let run = move |b: &Buffers| burst(2 * bytes, &mut kernel_contender(kernel, b, size));
            rows.push(self.on_cores(kernel.name().to_owned(), self.cpus.len(), size, run));
        }
        rows
    }

    /// The best kernel on one core and on two.
    pub fn two_cores(&self, size: usize) -> Row {
        let (kernel, bytes) = (widest(self.best), 2 * self.effort.burst_bytes);
        let run = move |b: &Buffers| burst(bytes, &mut kernel_contender(kernel, b, size));
        self.on_cores(format!("two cores: {}", kernel.name()), 2, size, run)
    }

    /// One thread alone, then one on each CPU at the same time; rates are summed.
    fn on_cores(
        &self,
        name: String,
        cores: usize,
        size: usize,
        rate: impl Fn(&Buffers) -> f64 + Sync + 'static,
    ) -> Row {
        let buffers = self.buffers(size);
        let bursts = self.bursts(size);
        let cpus = self.cpus[..cores].to_vec();
        Row::new(name, size, move || {
            let one = || together(&cpus[..1], &buffers, &rate);
            let all = || together(&cpus, &buffers, &rate);
            alternate(bursts, one, all)
        })
    }
}

/// Runs `rate` on all of `cpus` at the same time, over the same bytes: nobody writes them.
fn together(cpus: &[usize], buffers: &Buffers, rate: &(impl Fn(&Buffers) -> f64 + Sync)) -> f64 {
    let barrier = Barrier::new(cpus.len());
    std::thread::scope(|scope| {
        let start = |cpu: &usize| {
            let (barrier, cpu) = (&barrier, *cpu);
            scope.spawn(move || {
                pin(&[cpu]);
                // Warm, and none starts before the others are there.
                rate(buffers);
                barrier.wait();
                rate(buffers)
            })
        };
        let threads: Vec<_> = cpus.iter().map(start).collect();
        threads.into_iter().map(|t| t.join().expect("a thread that hashes")).sum()
    })
}

fn widest(engine: &'static Engine) -> &'static Kernel {
    engine.kernel_for(engine.lanes_max())
}

fn check(engine: &'static Engine, buffers: &Buffers, right: &[[u8; 16]]) {
    let mut lanes = Scheduler::new(engine);
    for (i, buffer) in buffers.slices(BUFFERS).into_iter().enumerate() {
        lanes.push(Job::whole(buffer, i));
    }
    while lanes.turn(|i, _, outcome| {
        let Outcome::Digest(digest) = outcome else { panic!("a whole message has a digest") };
        assert_eq!(digest.0, right[i], "{} buffer {i}", engine.tier().name());
    }) {}
    let slices = buffers.slices(BUFFERS);
    for peer in &PEERS {
        let mut digests = vec![[0; 16]; BUFFERS];
        (peer.hash)(&slices, &mut digests);
        assert_eq!(digests, right, "{}", peer.name);
    }
}

fn kernel_contender<'a>(kernel: &'a Kernel, buffers: &'a Buffers, size: usize) -> Contender<'a> {
    let slices = buffers.slices(kernel.lanes());
    let mut states = States::new();
    let run = move || kernel.run(&mut states, &slices, size / BLOCK, size >= PREFETCH_FROM);
    Contender { bytes: size * kernel.lanes(), run: Box::new(run) }
}

fn openssl_contender(buffers: &Buffers, size: usize) -> Contender<'_> {
    let run = move || {
        black_box(openssl_md5(black_box(buffers.slice(0))));
    };
    Contender { bytes: size, run: Box::new(run) }
}
