use std::sync::atomic::Ordering;

use super::*;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, last_error};

const CERT: &str = "noise\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n";
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nYWJj\n-----END PRIVATE KEY-----\n";

fn c(text: &str) -> aws_byte_cursor {
    aws_byte_cursor::of(text.as_bytes())
}

fn fresh(memory: &Counting) -> aws_tls_ctx_options {
    let mut options = MaybeUninit::uninit();
    // SAFETY: the init function writes all of it.
    unsafe {
        aws_tls_ctx_options_init_default_client(options.as_mut_ptr(), memory.get());
        options.assume_init()
    }
}

#[test]
fn context_keeps_a_copy_of_its_options() {
    let memory = Counting::new();
    let mut options = fresh(&memory);
    // SAFETY: live objects.
    unsafe {
        assert!(options.verify_peer);
        let (alpn, trust) = (aws_tls_ctx_options_set_alpn_list, c(CERT));
        assert_eq!(alpn(&mut options, c"h2;http/1.1".as_ptr()), AWS_OP_SUCCESS);
        assert_eq!(alpn(&mut options, c"http/1.1".as_ptr()), AWS_OP_SUCCESS);
        let set = aws_tls_ctx_options_override_default_trust_store(&mut options, &trust);
        assert_eq!(set, AWS_OP_SUCCESS);
        assert_eq!(*options.ca_file.buffer.add(options.ca_file.len), 0, "ended by a NUL");
        let again = aws_tls_ctx_options_override_default_trust_store(&mut options, &trust);
        assert_eq!((again, last_error()), (AWS_OP_ERR, Code::INVALID_STATE.0));
        let ctx = aws_tls_client_ctx_new(memory.get(), &options);
        aws_tls_ctx_options_clean_up(&mut options);
        let mut connection = MaybeUninit::uninit();
        aws_tls_connection_options_init_from_ctx(connection.as_mut_ptr(), ctx);
        let mut connection = connection.assume_init();
        aws_tls_ctx_release(ctx);
        let name = c("s3.example");
        let set = aws_tls_connection_options_set_server_name;
        assert_eq!(set(&mut connection, memory.get(), &name), AWS_OP_SUCCESS);
        assert_eq!(set(&mut connection, memory.get(), &name), AWS_OP_SUCCESS);
        let wish = wish_of(&connection).expect("ours");
        assert_eq!(wish.server_name.as_deref(), Some(&b"s3.example"[..]));
        assert_eq!(wish.alpn.as_deref(), Some(&b"http/1.1"[..]));
        assert_eq!(wish.timeout_ms, 10_000);
        assert!(wish.settings.ca_pem.as_ref().is_some_and(|p| p.starts_with(b"-----BEGIN")));
        let set = aws_tls_connection_options_set_alpn_list;
        assert_eq!(set(&mut connection, memory.get(), c"x".as_ptr()), AWS_OP_SUCCESS);
        let mut copy = connection_options_copy(memory.get(), &connection).expect("memory");
        aws_tls_connection_options_clean_up(&mut connection);
        assert!(connection.ctx.is_null());
        assert_eq!(wish_of(&copy).expect("ours").alpn.as_deref(), Some(&b"x"[..]));
        aws_tls_connection_options_clean_up(&mut copy);
        aws_tls_connection_options_clean_up(&mut copy);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn client_certificates_are_checked() {
    let memory = Counting::new();
    // SAFETY: live objects; the init function writes all of the options.
    unsafe {
        let mut options = fresh(&memory);
        let init = aws_tls_ctx_options_init_client_mtls;
        assert_eq!(init(&mut options, memory.get(), &c(CERT), &c(KEY)), AWS_OP_SUCCESS);
        let ctx = aws_tls_client_ctx_new(memory.get(), &options);
        assert!(!ctx.is_null());
        aws_tls_ctx_release(ctx);
        aws_tls_ctx_options_clean_up(&mut options);
        assert_eq!(init(&mut options, memory.get(), &c(KEY), &c(CERT)), AWS_OP_SUCCESS);
        assert!(aws_tls_client_ctx_new(memory.get(), &options).is_null());
        assert_eq!(last_error(), Code::IO_TLS_CTX_ERROR.0);
        aws_tls_ctx_options_clean_up(&mut options);
        assert_eq!(init(&mut options, memory.get(), &c(CERT), &c("no key")), AWS_OP_ERR);
        assert_eq!(last_error(), Code::PEM_MALFORMED.0);
        assert!(options.certificate.buffer.is_null(), "cleaned up");
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn unknown_ciphers_and_versions_are_refused() {
    let memory = Counting::new();
    let pref = |n: i32| {
        // SAFETY: any four bytes are a MaybeUninit.
        unsafe { std::mem::transmute::<i32, MaybeUninit<aws_tls_cipher_pref>>(n) }
    };
    // SAFETY: live objects.
    unsafe {
        assert!(aws_tls_is_alpn_available());
        for (n, known) in
            [(0, true), (1, false), (8, true), (11, true), (65535, false), (-1, false)]
        {
            assert_eq!(aws_tls_is_cipher_pref_supported(pref(n)), known, "{n}");
            let mut options = fresh(&memory);
            options.cipher_pref = pref(n);
            let ctx = aws_tls_client_ctx_new(memory.get(), &options);
            assert_eq!(!ctx.is_null(), known);
            aws_tls_ctx_release(ctx);
        }
        assert_eq!(last_error(), Code::IO_TLS_CIPHER_PREF_UNSUPPORTED.0);
        let mut options = fresh(&memory);
        options.minimum_tls_version = std::mem::transmute::<i32, MaybeUninit<aws_tls_versions>>(5);
        assert!(aws_tls_client_ctx_new(memory.get(), &options).is_null());
        assert_eq!(last_error(), Code::IO_TLS_VERSION_UNSUPPORTED.0);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn trust_store_file_is_read_now() {
    let memory = Counting::new();
    let path = std::env::temp_dir().join(format!("s3fast-ca-{}.pem", std::process::id()));
    std::fs::write(&path, CERT).expect("a temporary file");
    let name = std::ffi::CString::new(path.as_os_str().as_bytes()).expect("no NUL");
    let mut options = fresh(&memory);
    let load = aws_tls_ctx_options_override_default_trust_store_from_path;
    // SAFETY: live objects.
    unsafe {
        let folder = c"/tmp".as_ptr();
        assert_eq!(load(&mut options, folder, c"/nowhere/ca.pem".as_ptr()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::FILE_INVALID_PATH.0);
        assert!(options.ca_path.is_null() && options.ca_file.buffer.is_null(), "unchanged");
        memory.fail_in.store(1, Ordering::SeqCst);
        assert_eq!(load(&mut options, folder, name.as_ptr()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::OOM.0);
        assert_eq!(memory.live(), 0);
        assert_eq!(load(&mut options, folder, name.as_ptr()), AWS_OP_SUCCESS);
        let _ = std::fs::remove_file(&path);
        assert_eq!(load(&mut options, folder, std::ptr::null()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_STATE.0);
        let ctx = aws_tls_client_ctx_new(memory.get(), &options);
        assert!(!ctx.is_null());
        aws_tls_ctx_release(ctx);
        aws_tls_ctx_options_clean_up(&mut options);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_strange_and_unsupported_is_refused() {
    let memory = Counting::new();
    let mut options = fresh(&memory);
    let null = std::ptr::null::<c_void>();
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL or live objects.
    unsafe {
        aws_tls_ctx_options_init_default_client(null_mut(), memory.get());
        aws_tls_ctx_options_clean_up(null_mut());
        aws_tls_connection_options_clean_up(null_mut());
        aws_tls_connection_options_init_from_ctx(null_mut(), null_mut());
        aws_tls_ctx_release(null_mut());
        assert!(aws_tls_ctx_acquire(null_mut()).is_null());
        assert!(aws_tls_client_ctx_new(null_mut(), &options).is_null());
        assert!(aws_tls_client_ctx_new(memory.get(), null.cast()).is_null());
        assert_eq!(aws_tls_ctx_options_set_alpn_list(&mut options, null.cast()), AWS_OP_ERR);
        assert_eq!(aws_tls_ctx_options_set_alpn_list(null_mut(), c"x".as_ptr()), AWS_OP_ERR);
        let trust = aws_tls_ctx_options_override_default_trust_store;
        assert_eq!(trust(&mut options, null.cast()), AWS_OP_ERR);
        assert_eq!(trust(&mut options, &aws_byte_cursor { len: 1, ptr: null_mut() }), AWS_OP_ERR);
        assert_eq!(trust(&mut options, &c("")), AWS_OP_ERR);
        assert_eq!(last_error(), invalid);
        let stranger = [0u64; 8];
        let mut ctx: aws_tls_ctx = std::mem::zeroed();
        ctx.r#impl = stranger.as_ptr().cast_mut().cast();
        let mut connection: aws_tls_connection_options = std::mem::zeroed();
        assert!(wish_of(&connection).is_err());
        connection.ctx = &mut ctx;
        assert!(wish_of(&connection).is_err());
        let no_cert = (null.cast(), null.cast());
        let init = aws_tls_ctx_options_init_client_mtls;
        assert_eq!(init(&mut options, memory.get(), no_cert.0, no_cert.1), AWS_OP_ERR);
        let pkcs11 = aws_tls_ctx_options_init_client_mtls_with_pkcs11;
        assert_eq!(pkcs11(&mut options, memory.get(), null.cast()), AWS_OP_ERR);
        let pkcs12 = aws_tls_ctx_options_init_client_mtls_pkcs12_from_path;
        assert_eq!(pkcs12(&mut options, memory.get(), null.cast(), null.cast()), AWS_OP_ERR);
        let store = aws_tls_ctx_options_init_client_mtls_from_system_path;
        assert_eq!(store(&mut options, memory.get(), null.cast()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::PLATFORM_NOT_SUPPORTED.0);
    }
    assert_eq!(memory.live(), 0);
}
