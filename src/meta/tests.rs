//! Every machine against shuffled, failing and canceled requests: no lost part, no byte twice,
//! bytes in order, finish exactly once. And the wishes of plain runs, as a readable record.

use super::*;
use crate::base::{ByteRange, Code, Error};

/// Bytes of an object by position.
#[derive(Debug, PartialEq)]
struct Span(ByteRange);

impl Piece for Span {
    fn len(&self) -> u64 {
        self.0.len()
    }
    fn split_front(&mut self, len: u64) -> Span {
        let front = Span(ByteRange::new(self.0.start, self.0.start + len));
        self.0.start += len;
        front
    }
}

struct Rng(u64);

impl Rng {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below.max(1)
    }
}

fn head_of(range: ByteRange, total: u64) -> Head {
    Head {
        status: 206,
        content_length: Some(range.len()),
        content_range: Some(ContentRange { range, total: Some(total) }),
        etag: Some(b"\"e\"".to_vec()),
    }
}

/// A request that the pretended server works on.
struct Open {
    send: Send,
    range: ByteRange,
    headed: bool,
    at: u64,
}

#[derive(Default)]
struct Seen {
    next: u64,
    delivered: u64,
    finish: Option<Result<(), Error>>,
    heads: u32,
}

fn drive_get(seed: u64, size: u64, part: u64, window: Option<u64>, faults: bool) -> Seen {
    let mut rng = Rng(seed | 1);
    let mut m: Get<Span> = Get::new(GetOptions { part_size: part, range: None, window });
    let mut open: Vec<Open> = Vec::new();
    let mut seen = Seen::default();
    let mut granted = window.unwrap_or(0);
    for step in 0..1_000_000u64 {
        let mut budget = Budget { sends: rng.next(4) as usize, reads: 1 };
        while let Some(action) = m.next_action(&mut budget) {
            assert!(seen.finish.is_none(), "a wish after finish");
            match action {
                Action::Send(send) => {
                    let Op::Get { range, if_match } = &send.op else { panic!("{send:?}") };
                    assert_eq!(if_match.is_some(), send.id.0 > 0, "later ranges are pinned");
                    let whole = ByteRange::new(0, size);
                    let r =
                        range.map_or(whole, |r| ByteRange::new(r.start.min(size), r.end.min(size)));
                    open.push(Open { send: send.clone(), range: r, headed: false, at: r.start });
                }
                Action::Deliver { offset, piece } => {
                    assert_eq!(offset, seen.next, "in order");
                    assert_eq!(piece.0.start, offset, "the right bytes");
                    seen.next = piece.0.end;
                    seen.delivered += piece.len();
                    assert!(window.is_none() || seen.delivered <= granted, "within the window");
                }
                Action::DeliverHead { .. } => seen.heads += 1,
                Action::CancelRequests => {
                    for o in open.drain(..) {
                        let error = Error::new(Code::S3_CANCELED);
                        m.on_event(Event::Failed { id: o.send.id, status: 0, error });
                    }
                }
                Action::Finish(r) => seen.finish = Some(r),
                Action::Progress { .. } => {}
                Action::Read { .. } => panic!("a GET reads nothing"),
            }
        }
        if seen.finish.is_some() {
            assert!(m.is_finished());
            return seen;
        }
        if window.is_some() && rng.next(3) == 0 {
            granted += 7;
            m.on_event(Event::WindowGrew(7));
        }
        if faults && step > 0 && rng.next(60) == 0 {
            m.on_event(Event::Cancel(Error::new(Code::S3_CANCELED)));
        }
        if open.is_empty() {
            continue;
        }
        let k = rng.next(open.len() as u64) as usize;
        let o = &mut open[k];
        let id = o.send.id;
        let Op::Get { range, .. } = &o.send.op else { unreachable!() };
        if size == 0 && range.is_some() {
            open.swap_remove(k);
            let error = Error::new(Code::S3_INVALID_RESPONSE_STATUS);
            m.on_event(Event::Failed { id, status: 416, error });
        } else if faults && rng.next(80) == 0 {
            open.swap_remove(k);
            let error = Error::new(Code::HTTP_CONNECTION_CLOSED);
            m.on_event(Event::Failed { id, status: 0, error });
        } else if !o.headed {
            o.headed = true;
            let head = match range {
                Some(_) => head_of(o.range, size),
                None => Head { status: 200, content_length: Some(size), ..Head::default() },
            };
            m.on_event(Event::Head { id, head });
        } else if o.at < o.range.end {
            let n = 1 + rng.next(o.range.end - o.at);
            let piece = Span(ByteRange::new(o.at, o.at + n));
            o.at += n;
            m.on_event(Event::Bytes { id, piece });
        } else {
            open.swap_remove(k);
            m.on_event(Event::Done { id, reply: Reply::default() });
        }
    }
    panic!("no end: seed {seed} size {size} part {part}");
}

#[test]
fn get_random_events_deliver_every_byte_once_in_order() {
    for seed in 1..400 {
        let mut rng = Rng(seed * 0x9e37_79b9);
        let (size, part) = (rng.next(200), 1 + rng.next(50));
        let window = (rng.next(2) == 0).then(|| rng.next(40));
        let seen = drive_get(seed, size, part, window, false);
        assert_eq!(seen.finish, Some(Ok(())));
        assert_eq!((seen.delivered, seen.heads), (size, 1));
    }
}

#[test]
fn get_random_faults_finish_once_with_an_error_or_whole() {
    let mut failed = 0;
    for seed in 1..400 {
        let seen = drive_get(seed, 150, 20, None, true);
        match seen.finish {
            Some(Ok(())) => assert_eq!(seen.delivered, 150),
            Some(Err(_)) => failed += 1,
            None => panic!("no finish"),
        }
    }
    assert!(failed > 50, "the faults were real");
}

#[test]
fn get_of_a_replaced_object_is_object_modified() {
    let mut m: Get<Span> = Get::new(GetOptions { part_size: 10, range: None, window: None });
    let mut b = Budget { sends: 1, reads: 0 };
    assert!(matches!(m.next_action(&mut b), Some(Action::Send(_))));
    m.on_event(Event::Head { id: RequestId(0), head: head_of(ByteRange::new(0, 10), 30) });
    let mut b = Budget { sends: 5, reads: 0 };
    while m.next_action(&mut b).is_some() {}
    let error = Error::new(Code::S3_INVALID_RESPONSE_STATUS);
    m.on_event(Event::Failed { id: RequestId(1), status: 412, error });
    assert!(matches!(m.next_action(&mut b), Some(Action::CancelRequests)));
    for id in [0, 2] {
        m.on_event(Event::Failed { id: RequestId(id), status: 0, error });
    }
    let Some(Action::Finish(Err(e))) = m.next_action(&mut b) else { panic!() };
    assert_eq!(e.code, Code::S3_OBJECT_MODIFIED);
}

#[test]
fn get_with_a_shifted_content_range_fails() {
    let mut m: Get<Span> = Get::new(GetOptions { part_size: 10, range: None, window: None });
    let mut b = Budget { sends: 1, reads: 0 };
    m.next_action(&mut b);
    m.on_event(Event::Head { id: RequestId(0), head: head_of(ByteRange::new(0, 10), 30) });
    let mut b = Budget { sends: 1, reads: 0 };
    while m.next_action(&mut b).is_some() {}
    m.on_event(Event::Head { id: RequestId(1), head: head_of(ByteRange::new(11, 20), 30) });
    assert!(matches!(m.next_action(&mut b), Some(Action::CancelRequests)));
}

#[derive(Default)]
struct Uploaded {
    bytes: u64,
    finish: Option<Result<(), Error>>,
    aborts: u32,
    completes: u32,
    record: Vec<String>,
}

fn drive_put(seed: u64, o: PutOptions, actual: u64, faults: bool) -> Uploaded {
    let mut rng = Rng(seed | 1);
    let mut m = Put::new(o);
    let mut open: Vec<Send> = Vec::new();
    let mut reading: Option<(u32, u64)> = None;
    let (mut read, mut out) = (0u64, Uploaded::default());
    let mut sent = std::collections::BTreeMap::new();
    for _ in 0..1_000_000u64 {
        let mut budget = Budget { sends: rng.next(4) as usize, reads: rng.next(2) as usize };
        while let Some(action) = Machine::<Span>::next_action(&mut m, &mut budget) {
            assert!(out.finish.is_none(), "a wish after finish");
            match action {
                Action::Send(send) => {
                    out.record.push(format!("{:?}", send.op));
                    match send.op {
                        Op::AbortUpload => out.aborts += 1,
                        Op::CompleteUpload => {
                            out.completes += 1;
                            assert!(m.part_list().iter().all(|p| p.etag.is_some()));
                        }
                        Op::UploadPart { number, range } => {
                            assert!(sent.insert(number, range).is_none(), "a part twice");
                        }
                        _ => {}
                    }
                    open.push(send);
                }
                Action::Read { part, len_max } => {
                    assert!(reading.is_none(), "one read at a time");
                    reading = Some((part, len_max));
                }
                Action::CancelRequests => {
                    for s in open.drain(..) {
                        let error = Error::new(Code::S3_CANCELED);
                        let e: Event<Span> = Event::Failed { id: s.id, status: 0, error };
                        m.on_event(e);
                    }
                }
                Action::Progress { bytes, .. } => out.bytes += bytes,
                Action::Finish(r) => out.finish = Some(r),
                Action::Deliver { .. } | Action::DeliverHead { .. } => panic!("nothing to deliver"),
            }
        }
        if out.finish.is_some() {
            if out.finish == Some(Ok(())) && out.completes == 1 {
                let mut end = 0;
                for (i, (number, range)) in sent.iter().enumerate() {
                    assert_eq!((*number, range.start), (i as u32 + 1, end), "no gap");
                    end = range.end;
                }
                assert_eq!(end, actual, "every byte is in a part");
            }
            return out;
        }
        if let Some((part, len_max)) = reading.take_if(|_| rng.next(2) == 0) {
            let len = len_max.min(actual - read);
            read += len;
            let e: Event<Span> = if faults && rng.next(30) == 0 {
                Event::ReadFailed(Error::new(Code::FILE_READ_FAILURE))
            } else {
                Event::PartRead { part, len, last: read == actual }
            };
            m.on_event(e);
        }
        if faults && rng.next(80) == 0 {
            m.on_event(Event::<Span>::Cancel(Error::new(Code::S3_CANCELED)));
        }
        if !open.is_empty() && rng.next(2) == 0 {
            let k = rng.next(open.len() as u64) as usize;
            let s = open.swap_remove(k);
            let e: Event<Span> = if faults && rng.next(20) == 0 {
                Event::Failed { id: s.id, status: 500, error: Error::new(Code::S3_INTERNAL_ERROR) }
            } else {
                let upload_id = (s.op == Op::CreateUpload).then(|| "id".to_owned());
                let reply = Reply { etag: Some(b"e".to_vec()), upload_id, checksum: None };
                Event::Done { id: s.id, reply }
            };
            m.on_event(e);
        }
    }
    panic!("no end: seed {seed} {o:?} {:?}", out.record);
}

fn put_options(rng: &mut Rng, len: u64) -> PutOptions {
    let known = rng.next(3) > 0;
    PutOptions {
        len: known.then_some(len),
        part_size: 1 + rng.next(30),
        multipart_threshold: 1 + rng.next(80),
        source: if known && rng.next(2) == 0 { PutSource::Random } else { PutSource::Sequential },
    }
}

#[test]
fn put_random_events_upload_every_byte_once() {
    for seed in 1..500 {
        let mut rng = Rng(seed * 0x9e37_79b9);
        let len = rng.next(200);
        let o = put_options(&mut rng, len);
        let out = drive_put(seed, o, len, false);
        assert_eq!(out.finish, Some(Ok(())), "{o:?} {:?}", out.record);
        assert_eq!((out.bytes, out.aborts), (len, 0), "{o:?} {:?}", out.record);
    }
}

#[test]
fn put_random_faults_abort_once_and_finish_once() {
    let (mut failed, mut aborted) = (0, 0);
    for seed in 1..500 {
        let mut rng = Rng(seed * 0x51ed_2701);
        let len = 100 + rng.next(200);
        let o = put_options(&mut rng, len);
        let out = drive_put(seed, o, len, true);
        assert!(out.aborts <= 1);
        failed += out.finish.is_some_and(|f| f.is_err()) as u32;
        aborted += out.aborts;
    }
    assert!(failed > 100 && aborted > 50, "the faults were real: {failed} {aborted}");
}

#[test]
fn put_source_shorter_than_said_fails_and_aborts() {
    let o = PutOptions {
        len: Some(100),
        part_size: 30,
        multipart_threshold: 1,
        source: PutSource::Sequential,
    };
    let out = drive_put(7, o, 70, false);
    let code = out.finish.and_then(|f| f.err()).map(|e| e.code);
    assert_eq!((code, out.aborts), (Some(Code::S3_INCORRECT_CONTENT_LENGTH), 1));
}

#[test]
fn put_plain_run_has_the_expected_sequence() {
    let o = PutOptions {
        len: Some(25),
        part_size: 10,
        multipart_threshold: 20,
        source: PutSource::Random,
    };
    let mut record = drive_put(3, o, 25, false).record;
    record[1..4].sort();
    assert_eq!(
        record.join("\n"),
        "CreateUpload\n\
         UploadPart { number: 1, range: ByteRange { start: 0, end: 10 } }\n\
         UploadPart { number: 2, range: ByteRange { start: 10, end: 20 } }\n\
         UploadPart { number: 3, range: ByteRange { start: 20, end: 25 } }\n\
         CompleteUpload"
    );
}

#[test]
fn default_delivers_then_finishes() {
    let mut m: Default<Span> = Default::new(Op::Default, None, None);
    let mut b = Budget { sends: 1, reads: 0 };
    let Some(Action::Send(s)) = m.next_action(&mut b) else { panic!() };
    m.on_event(Event::Head { id: s.id, head: Head { status: 200, ..Head::default() } });
    m.on_event(Event::Bytes { id: s.id, piece: Span(ByteRange::new(0, 5)) });
    m.on_event(Event::Done { id: s.id, reply: Reply::default() });
    assert!(matches!(m.next_action(&mut b), Some(Action::DeliverHead { .. })));
    assert!(matches!(m.next_action(&mut b), Some(Action::Deliver { offset: 0, .. })));
    assert!(matches!(m.next_action(&mut b), Some(Action::Finish(Ok(())))));
    assert!(m.next_action(&mut b).is_none());
}

#[test]
fn get_total_below_the_asked_range_is_an_error() {
    let range = Some(ByteRange::new(5_000_000, 6_000_000));
    let mut get: Get<Span> = Get::new(GetOptions { part_size: 8 << 20, range, window: None });
    let mut budget = Budget { sends: 1, reads: 0 };
    assert!(matches!(get.next_action(&mut budget), Some(Action::Send(_))));
    let content_range =
        Some(ContentRange { range: ByteRange::new(5_000_000, 5_000_100), total: Some(10) });
    let head = Head { status: 206, content_range, ..Head::default() };
    get.on_event(Event::Head { id: RequestId(0), head });
    assert!(matches!(get.next_action(&mut budget), Some(Action::CancelRequests)));
    let error = Error::new(Code::S3_CANCELED);
    get.on_event(Event::Failed { id: RequestId(0), status: 0, error });
    let end = Err(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER));
    match get.next_action(&mut budget) {
        Some(Action::Finish(result)) => assert_eq!(result, end),
        other => panic!("{other:?}"),
    }
}

#[test]
fn default_canceled_while_its_body_is_read_ends_after_the_read() {
    let mut m: Default<Span> = Default::new(Op::Default, Some(10), None);
    let mut budget = Budget { sends: 1, reads: 1 };
    assert!(matches!(m.next_action(&mut budget), Some(Action::Read { .. })));
    let error = Error::new(Code::S3_CANCELED);
    m.on_event(Event::Cancel(error));
    assert!(matches!(m.next_action(&mut budget), Some(Action::CancelRequests)));
    assert!(m.next_action(&mut budget).is_none(), "the caller's stream is still in use");
    m.on_event(Event::PartRead { part: 0, len: 10, last: true });
    match m.next_action(&mut budget) {
        Some(Action::Finish(result)) => assert_eq!(result, Err(error)),
        other => panic!("{other:?}"),
    }
}
