//! `aws/common/command_line_parser.h`: options of a program's command line.
//!
//! The parser's state is one for the process, as with getopt: one thread may use it at a time.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::base::Code;
use crate::ffi::raise::raise;

/// Whether an option has an argument.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_cli_options_has_arg {
    AWS_CLI_OPTIONS_NO_ARGUMENT = 0,
    AWS_CLI_OPTIONS_REQUIRED_ARGUMENT = 1,
    AWS_CLI_OPTIONS_OPTIONAL_ARGUMENT = 2,
}

/// A long option. A table of them ends with a zeroed entry.
#[repr(C)]
pub struct aws_cli_option {
    /// Without the dashes; may be NULL.
    pub name: *const c_char,
    /// Not used: the letter's colon in the option string says it.
    pub has_arg: MaybeUninit<aws_cli_options_has_arg>,
    /// Not used.
    pub flag: *mut c_int,
    /// What the parser returns for it: its letter in the option string.
    pub val: c_int,
}

/// Runs a subcommand; `argv` begins at its name.
pub type aws_cli_options_subcommand_fn = Option<
    unsafe extern "C" fn(
        argc: c_int,
        argv: *const *mut c_char,
        command_name: *const c_char,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// A subcommand's name and function.
#[repr(C)]
pub struct aws_cli_subcommand_dispatch {
    pub subcommand_fn: aws_cli_options_subcommand_fn,
    pub command_name: *const c_char,
}

/// The argument of the option that was parsed last, or NULL.
#[unsafe(no_mangle)]
pub static mut aws_cli_optarg: *const c_char = null();

/// The last argument that belongs to no option, or NULL.
#[unsafe(no_mangle)]
pub static mut aws_cli_positional_arg: *const c_char = null();

/// The next argument to look at.
static NEXT: AtomicI32 = AtomicI32::new(1);
/// An argument came that looked like an option and was none: the next one may belong to it.
static ON_ARG: AtomicBool = AtomicBool::new(false);

/// What aws_cli_getopt_long() returns for an argument that belongs to no option.
const POSITIONAL: c_int = 0x02;
const UNKNOWN: c_int = b'?' as c_int;

/// Parses the next argument.
///
/// `argc`, `argv`: of main(); kept through aws_cli_optarg and aws_cli_positional_arg. `optstring`:
/// the letters of all options, each with a colon behind it if it has an argument. `longopts`: the
/// options, ended by a zeroed entry; each has its letter in `val`. `longindex`: written with the
/// option's place in the table, may be NULL.
/// Returns the option's letter, aws_cli_optarg being its argument; 2 for an argument that belongs to
/// no option, which aws_cli_positional_arg then shows; '?' for an unknown option or a missing
/// argument; -1 at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_cli_getopt_long(
    argc: c_int,
    argv: *const *mut c_char,
    optstring: *const c_char,
    longopts: *const aws_cli_option,
    longindex: *mut c_int,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules, and one thread parses at a time.
        unsafe {
            aws_cli_optarg = null();
            let at = NEXT.load(Ordering::Relaxed);
            if at < 0 || at >= argc || argv.is_null() || optstring.is_null() {
                return -1;
            }
            let word = *argv.add(at as usize);
            if word.is_null() {
                return -1;
            }
            NEXT.store(at + 1, Ordering::Relaxed);
            let text = CStr::from_ptr(word).to_bytes();
            let found = match text {
                [b'-', b'-', name @ ..] => {
                    ON_ARG.store(true, Ordering::Relaxed);
                    option(longopts, |o| {
                        !o.name.is_null() && CStr::from_ptr(o.name).to_bytes() == name
                    })
                }
                [b'-', rest @ ..] => {
                    ON_ARG.store(true, Ordering::Relaxed);
                    let letter = rest.first().map_or(0, |&b| c_int::from(b));
                    option(longopts, |o| letter != 0 && o.val == letter)
                }
                _ if ON_ARG.swap(false, Ordering::Relaxed) => {
                    aws_cli_positional_arg = null();
                    return UNKNOWN;
                }
                _ => {
                    aws_cli_positional_arg = word;
                    return POSITIONAL;
                }
            };
            let Some((index, found)) = found else { return UNKNOWN };
            if let Some(out) = longindex.as_mut() {
                *out = index;
            }
            ON_ARG.store(false, Ordering::Relaxed);
            aws_cli_positional_arg = null();
            let letters = CStr::from_ptr(optstring).to_bytes_with_nul();
            let place = letters.iter().position(|&l| c_int::from(l) == found.val);
            let Some(place) = place else { return UNKNOWN };
            if letters.get(place + 1) == Some(&b':') {
                let at = NEXT.load(Ordering::Relaxed);
                if at >= argc {
                    return UNKNOWN;
                }
                aws_cli_optarg = *argv.add(at as usize);
                NEXT.store(at + 1, Ordering::Relaxed);
            }
            found.val
        }
    })
}

/// The first option of the table that fits, and its place.
unsafe fn option<'a>(
    table: *const aws_cli_option,
    fits: impl Fn(&aws_cli_option) -> bool,
) -> Option<(c_int, &'a aws_cli_option)> {
    if table.is_null() {
        return None;
    }
    for index in 0.. {
        // SAFETY: by the caller's contract the table ends with a zeroed entry.
        let option = unsafe { &*table.add(index as usize) };
        if option.name.is_null() && option.val == 0 {
            return None;
        }
        if fits(option) {
            return Some((index, option));
        }
    }
    None
}

/// Lets the parser begin again, at the argument behind the program's name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_cli_reset_state() {
    ffi_fn!({
        NEXT.store(1, Ordering::Relaxed);
        ON_ARG.store(false, Ordering::Relaxed);
        // SAFETY: one thread parses at a time.
        unsafe {
            aws_cli_optarg = null();
            aws_cli_positional_arg = null();
        }
    })
}

/// Calls the subcommand that the first argument names, in either case of letters, with the arguments
/// from there on, before this returns.
///
/// `argc`, `argv`: of main(). `dispatch_table`: `table_length` entries. `user_data`: given to it.
/// Returns what it returns, or AWS_OP_ERR with AWS_ERROR_UNIMPLEMENTED for an unknown name,
/// AWS_ERROR_INVALID_ARGUMENT where there is no argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_cli_dispatch_on_subcommand(
    argc: c_int,
    argv: *const *mut c_char,
    dispatch_table: *mut aws_cli_subcommand_dispatch,
    table_length: c_int,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        if argc < 2 || argv.is_null() || dispatch_table.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        unsafe {
            let word: *mut c_char = *argv.add(1);
            if word.is_null() {
                return raise(Code::INVALID_ARGUMENT);
            }
            let name = CStr::from_ptr(word).to_bytes();
            for at in 0..usize::try_from(table_length).unwrap_or(0) {
                let entry = &*dispatch_table.add(at);
                if !entry.command_name.is_null()
                    && CStr::from_ptr(entry.command_name).to_bytes().eq_ignore_ascii_case(name)
                    && let Some(run) = entry.subcommand_fn
                {
                    return run(argc - 1, argv.add(1), word, user_data);
                }
            }
        }
        raise(Code::UNIMPLEMENTED)
    })
}

/// A zeroed entry, which ends a table.
pub const END: aws_cli_option = aws_cli_option {
    name: null(),
    has_arg: MaybeUninit::new(aws_cli_options_has_arg::AWS_CLI_OPTIONS_NO_ARGUMENT),
    flag: null_mut(),
    val: 0,
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// The parser has one state: tests take turns.
    static TURN: Mutex<()> = Mutex::new(());

    fn words(text: &[&'static CStr]) -> Vec<*mut c_char> {
        text.iter().map(|w| w.as_ptr().cast_mut()).collect()
    }

    fn long(name: &'static CStr, val: u8) -> aws_cli_option {
        aws_cli_option { name: name.as_ptr(), val: c_int::from(val), ..END }
    }

    #[test]
    fn options_arguments_and_positionals_are_told_apart() {
        let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        let argv = words(&[
            c"prog",
            c"first",
            c"-r",
            c"eu",
            c"--verbose",
            c"second",
            c"--what",
            c"x",
            c"-",
            c"-r",
        ]);
        let table = [long(c"region", b'r'), long(c"verbose", b'v'), END];
        // SAFETY: the table ends, and this thread parses alone.
        unsafe {
            aws_cli_reset_state();
            let mut index = -1;
            let mut next = || {
                let argc = argv.len() as c_int;
                let got = aws_cli_getopt_long(
                    argc,
                    argv.as_ptr(),
                    c"r:v".as_ptr(),
                    table.as_ptr(),
                    &mut index,
                );
                let text = |p: *const c_char| match p.is_null() {
                    true => "",
                    false => CStr::from_ptr(p).to_str().expect("ASCII"),
                };
                (got, text(aws_cli_optarg), text(aws_cli_positional_arg))
            };
            assert_eq!(next(), (2, "", "first"));
            assert_eq!(next(), (c_int::from(b'r'), "eu", ""));
            assert_eq!(next(), (c_int::from(b'v'), "", ""));
            assert_eq!(next(), (2, "", "second"));
            assert_eq!(next().0, UNKNOWN);
            assert_eq!(next().0, UNKNOWN);
            assert_eq!(next().0, UNKNOWN);
            assert_eq!(next().0, UNKNOWN);
            assert_eq!(next().0, -1);
            assert_eq!(index, 0);
            aws_cli_reset_state();
        }
    }

    #[test]
    fn subcommand_is_called_with_its_arguments() {
        unsafe extern "C" fn run(
            argc: c_int,
            argv: *const *mut c_char,
            name: *const c_char,
            user_data: *mut c_void,
        ) -> c_int {
            // SAFETY: called by the test below.
            unsafe {
                assert_eq!(CStr::from_ptr(*argv), c"CP");
                assert_eq!(CStr::from_ptr(name), c"CP");
                *user_data.cast::<c_int>() = argc;
            }
            5
        }
        let argv = words(&[c"prog", c"CP", c"a"]);
        let mut table = [aws_cli_subcommand_dispatch {
            subcommand_fn: Some(run),
            command_name: c"cp".as_ptr(),
        }];
        let mut count = 0;
        let data = (&raw mut count).cast();
        // SAFETY: the table has one entry.
        unsafe {
            let p = table.as_mut_ptr();
            assert_eq!(aws_cli_dispatch_on_subcommand(3, argv.as_ptr(), p, 1, data), 5);
            assert_eq!(*data.cast::<c_int>(), 2);
            assert_eq!(aws_cli_dispatch_on_subcommand(3, argv.as_ptr(), p, 0, data), -1);
            assert_eq!(crate::ffi::raise::last_error(), Code::UNIMPLEMENTED.0);
            assert_eq!(aws_cli_dispatch_on_subcommand(1, argv.as_ptr(), p, 1, data), -1);
            assert_eq!(aws_cli_dispatch_on_subcommand(2, null(), p, 1, data), -1);
        }
    }
}
