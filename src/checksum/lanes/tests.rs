use super::*;
use crate::checksum::md5::md5_batch_on;
use crate::simd::cpu::Tier;
use crate::simd::tests::{Random, naive_md5};
use std::ops::Range;
use std::rc::Rc;

fn engines() -> Vec<&'static Engine> {
    Tier::ALL.into_iter().filter_map(Engine::of).collect()
}

fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..len).map(|_| random.next() as u8).collect()
}

#[test]
fn batch_of_every_length_to_1024_matches_oracle() {
    let data = noise(21, 1024 + 64);
    // The same lengths in two orders and at moving alignments, so that neighbours differ.
    let up: Vec<&[u8]> = (0..=1024).map(|n| &data[n % 64..][..n]).collect();
    let mixed: Vec<&[u8]> = (0..=1024).map(|n| up[n * 389 % 1025]).collect();
    let want: Vec<[u8; 16]> = up.iter().map(|m| naive_md5(m)).collect();
    for engine in engines() {
        for (i, digest) in md5_batch_on(engine, &mixed).iter().enumerate() {
            assert_eq!(digest.0, want[i * 389 % 1025], "{:?}", engine.tier());
        }
        for (n, digest) in md5_batch_on(engine, &up).iter().enumerate() {
            assert_eq!(digest.0, want[n], "{:?} {n} bytes", engine.tier());
        }
    }
}

#[test]
fn turn_with_jobs_arriving_at_random_gives_each_its_own_digest() {
    for engine in engines() {
        let mut random = Random(22 + engine.lanes_max() as u64);
        let data = Rc::new(noise(23, 300_000));
        let mut lanes: Scheduler<Pieces, usize> = Scheduler::new(engine);
        let mut want = Vec::new();
        let mut got: Vec<Option<[u8; 16]>> = Vec::new();
        while want.len() < 400 || !lanes.is_empty() {
            let arriving = if want.len() < 400 { random.below(2 * engine.lanes_max()) } else { 0 };
            for _ in 0..arriving {
                let longest = [1, 8, 25, 250, 25_000][random.below(5)];
                let len = random.below(longest + 1);
                let start = random.below(data.len() - len);
                let range = start..start + len;
                want.push(naive_md5(&data[range.clone()]));
                got.push(None);
                let tag = want.len() - 1;
                let cuts = cut(range, &mut random);
                lanes.push(Job::whole(Pieces { block: Rc::clone(&data), cuts }, tag));
            }
            for _ in 0..random.below(6) {
                let busy = !lanes.is_empty();
                let ran = lanes.turn(|tag, message, outcome| {
                    let Outcome::Digest(digest) = outcome else { panic!("a last job ends") };
                    assert!(Rc::ptr_eq(&message.block, &data));
                    assert_eq!(got[tag].replace(digest.0), None, "job {tag} ended twice");
                });
                assert_eq!(ran, busy);
            }
        }
        for (got, want) in got.iter().zip(&want) {
            assert_eq!(*got, Some(*want), "{:?}", engine.tier());
        }
        drop(lanes);
        assert_eq!(Rc::strong_count(&data), 1, "every block came back");
    }
}

#[test]
fn batch_of_long_messages_taking_turns_matches_oracle() {
    let data = noise(28, 200_000);
    let mut random = Random(29);
    let distinct: Vec<&[u8]> = (0..12)
        .map(|i| &data[i * 13..][..if i % 3 == 0 { 30_000 } else { random.below(90_000) }])
        .collect();
    let want: Vec<[u8; 16]> = distinct.iter().map(|m| naive_md5(m)).collect();
    for engine in engines() {
        let width = engine.lanes_max();
        for n in [width + 1, width * 4 / 3, 2 * width - 1, 2 * width, 2 * width + 1] {
            let picks: Vec<usize> = (0..n).map(|_| random.below(distinct.len())).collect();
            let messages: Vec<&[u8]> = picks.iter().map(|i| distinct[*i]).collect();
            let digests = md5_batch_on(engine, &messages);
            for (digest, i) in digests.iter().zip(picks) {
                assert_eq!(digest.0, want[i], "{:?} {n} messages", engine.tier());
            }
        }
    }
}

#[test]
fn jobs_that_take_turns_end_together() {
    for engine in engines().into_iter().filter(|e| e.lanes_max() > 1) {
        let message = vec![5; 96 << 10];
        let mut lanes: Scheduler<&[u8], usize> = Scheduler::new(engine);
        let (width, n) = (engine.lanes_max(), engine.lanes_max() * 4 / 3);
        for tag in 0..n {
            lanes.push(Job::whole(&message, tag));
        }
        // Lane-blocks spent while every lane was full: nearly all of them.
        let (mut full, mut all) = (0, 0);
        while !lanes.is_empty() {
            let before = lanes.spent;
            let busy = lanes.len().min(width);
            lanes.turn(|_, _, _| ());
            let spent = lanes.spent - before;
            all += spent;
            full += if busy == width { spent } else { 0 };
        }
        assert_eq!(all, n * (96 << 10) / 64 + n);
        assert!(full * 100 >= all * 90, "{:?}: {full} of {all}", engine.tier());
    }
}

#[test]
fn turn_with_a_million_small_jobs_gives_each_its_own_digest() {
    // Digests are compared as they come, against the digest of the distinct message: 4096 of
    // those, so that the slow oracle is asked 4096 times and the lanes a million times.
    let data = noise(24, 1200);
    let mut random = Random(25);
    let messages: Vec<&[u8]> = (0..4096)
        .map(|i| {
            let len = if i % 16 == 0 { random.below(1100) } else { random.below(100) };
            &data[random.below(data.len() - len)..][..len]
        })
        .collect();
    let want: Vec<[u8; 16]> = messages.iter().map(|m| naive_md5(m)).collect();
    let engines = engines();
    for engine in &engines {
        // The unoptimised scalar kernel is slow; the widest ones carry the million.
        let jobs = if engine.lanes_max() == 1 { 50_000 } else { 1_000_000 / (engines.len() - 1) };
        let mut lanes = Scheduler::new(engine);
        let (mut pushed, mut ended) = (0, 0);
        while ended < jobs {
            for _ in 0..random.below(2 * engine.lanes_max() + 1).min(jobs - pushed) {
                let i = random.below(messages.len());
                lanes.push(Job::whole(messages[i], i));
                pushed += 1;
            }
            lanes.turn(|i: usize, _, outcome| {
                let Outcome::Digest(digest) = outcome else { panic!("a last job ends") };
                assert_eq!(digest.0, want[i], "{:?}", engine.tier());
                ended += 1;
            });
        }
        assert!(lanes.is_empty());
    }
}

#[test]
fn chained_jobs_continue_their_message() {
    let data = noise(26, 64 * 50 + 17);
    for engine in engines() {
        let mut lanes: Scheduler<&[u8], ()> = Scheduler::new(engine);
        let mut random = Random(27);
        let (mut chain, mut at) = (Chain::START, 0);
        while at < 64 * 50 {
            let end = at + 64 * random.below((64 * 50 - at) / 64 + 1);
            lanes.push(Job { message: &data[at..end], from: chain, last: false, tag: () });
            while lanes.turn(|(), _, outcome| {
                let Outcome::Chain(next) = outcome else { panic!("the message goes on") };
                chain = next;
            }) {}
            at = end;
            assert_eq!(chain.bytes(), at as u64);
        }
        let mut digest = None;
        lanes.push(Job { message: &data[at..], from: chain, last: true, tag: () });
        while lanes.turn(|(), _, outcome| digest = Some(outcome)) {}
        assert_eq!(digest, Some(Outcome::Digest(Md5Digest(naive_md5(&data)))));
    }
}

#[test]
fn new_job_joins_after_one_quantum_of_a_long_one() {
    let long = vec![3; 4 * QUANTUM_BYTES];
    for engine in engines().into_iter().filter(|e| e.lanes_max() > 1) {
        let mut lanes: Scheduler<&[u8], u8> = Scheduler::new(engine);
        lanes.push(Job::whole(&long, 0));
        let mut order = Vec::new();
        assert!(lanes.turn(|tag, _, _| order.push(tag)));
        lanes.push(Job::whole(b"short", 1));
        assert!(lanes.turn(|tag, _, _| order.push(tag)));
        assert_eq!(order, [1], "{:?}", engine.tier());
        while lanes.turn(|tag, _, _| order.push(tag)) {}
        assert_eq!(order, [1, 0]);
    }
}

#[test]
fn room_counts_free_lanes() {
    let engine = Engine::here();
    let mut lanes: Scheduler<&[u8], ()> = Scheduler::new(engine);
    assert_eq!(lanes.room(), engine.lanes_max());
    for _ in 0..engine.lanes_max() + 3 {
        lanes.push(Job::whole(b"x", ()));
    }
    assert_eq!((lanes.room(), lanes.len()), (0, engine.lanes_max() + 3));
    while lanes.turn(|(), _, _| ()) {}
    assert_eq!(lanes.room(), engine.lanes_max());
}

#[test]
fn abandon_gives_every_job_back() {
    let mut lanes: Scheduler<&[u8], usize> = Scheduler::new(Engine::here());
    let long = vec![0; 2 * QUANTUM_BYTES];
    for tag in 0..50 {
        lanes.push(Job::whole(&long, tag));
    }
    assert!(lanes.turn(|_, _, _| panic!("nothing is done yet")));
    let mut tags: Vec<usize> = lanes.abandon().into_iter().map(|(tag, _)| tag).collect();
    tags.sort_unstable();
    assert_eq!(tags, (0..50).collect::<Vec<_>>());
    assert!(lanes.is_empty() && !lanes.turn(|_, _, _| ()));
}

#[test]
#[should_panic(expected = "cuts a block")]
fn push_of_part_of_a_block_is_refused() {
    let mut lanes: Scheduler<&[u8], ()> = Scheduler::new(Engine::here());
    lanes.push(Job { message: &[0; 65], from: Chain::START, last: false, tag: () });
}

/// A shared block, seen as pieces.
struct Pieces {
    block: Rc<Vec<u8>>,
    cuts: Vec<Range<usize>>,
}

impl Message for Pieces {
    fn piece(&self, index: usize) -> Option<&[u8]> {
        self.cuts.get(index).map(|range| &self.block[range.clone()])
    }
}

/// Cuts a range into pieces, empty and tiny ones among them.
fn cut(range: Range<usize>, random: &mut Random) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut at = range.start;
    for _ in 0..random.below(7) {
        let most = [0, 3, 70, 64 * 20, range.len()][random.below(5)];
        let len = random.below(most.min(range.end - at) + 1);
        cuts.push(at..at + len);
        at += len;
    }
    cuts.push(at..range.end);
    cuts
}
