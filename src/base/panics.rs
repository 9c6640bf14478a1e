//! One way to stop a panic: catch it, log it with its place in the code, go on. A panic is our own
//! fault and must never take the host program down; whoever catches decides what fails with it.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use super::{Level, Subject, log_enabled, log_write};

/// Runs `step`; a panic inside is logged as `what` and gives `None`. The step's own data must not
/// be used again after a panic, or must be able to stand half a change.
pub fn caught<R>(what: &str, id: usize, step: impl FnOnce() -> R) -> Option<R> {
    watch();
    match panic::catch_unwind(AssertUnwindSafe(step)) {
        Ok(value) => Some(value),
        Err(payload) => {
            let text = text(&*payload);
            // A payload whose own destructor panics must not undo the catch.
            std::mem::forget(payload);
            report(what, id, text.as_deref().unwrap_or("no text"));
            None
        }
    }
}

#[cold]
fn report(what: &str, id: usize, text: &str) {
    let (file, line) = PLACE.with(Cell::get);
    if log_enabled(Level::Error) {
        let args = format_args!("panic in {what} at {file}:{line}: {text}");
        log_write(Level::Error, Subject::CommonGeneral, id, args);
    }
}

fn text(payload: &(dyn std::any::Any + Send)) -> Option<String> {
    match payload.downcast_ref::<&'static str>() {
        Some(text) => Some((*text).to_owned()),
        None => payload.downcast_ref::<String>().cloned(),
    }
}

/// Only the hook sees where a panic began. It notes the place and hands on to the hook before it.
fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        let earlier = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            note(info);
            earlier(info);
        }));
    });
}

fn note(info: &PanicHookInfo<'_>) {
    if let Some(place) = info.location() {
        // Places are compiled in; only their lifetime in the hook's type is shorter.
        let file = intern(place.file());
        let _ = PLACE.try_with(|p| p.set((file, place.line())));
    }
}

/// A panic is rare and ends in a log line: one small leak each is cheaper than a lock.
fn intern(file: &str) -> &'static str {
    Box::leak(file.to_owned().into_boxed_str())
}

thread_local! {
    static PLACE: Cell<(&'static str, u32)> = const { Cell::new(("unknown", 0)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caught_panic_gives_none_and_notes_its_place() {
        assert_eq!(caught("a test", 0, || if true { panic!("planted") } else { 1 }), None);
        let (file, line) = PLACE.with(Cell::get);
        assert!(file.ends_with("panics.rs"), "{file}");
        assert!(line > 0);
    }

    #[test]
    fn caught_without_panic_gives_the_value() {
        assert_eq!(caught("a test", 0, || 7), Some(7));
    }
}
