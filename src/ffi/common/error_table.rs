//! The errors of the libraries whose place this one takes: number, name and a sentence.
//!
//! Names and numbers are those of the public headers; a test holds them against the enums. Where
//! several constants share a number, the first one names it.

use std::ffi::CStr;

/// One known error; the texts end with a zero for C.
pub struct Known {
    pub code: i32,
    pub name: &'static CStr,
    pub text: &'static CStr,
    pub library: &'static CStr,
    /// `library: name, text`.
    pub whole: &'static CStr,
}

const fn c(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a text with one zero, at its end"),
    }
}

macro_rules! errors {
    ($table:ident, $library:literal: $($code:literal $name:ident $text:literal)*) => {
        static $table: &[Known] = &[$(Known {
            code: $code,
            name: const { c(concat!(stringify!($name), "\0")) },
            text: const { c(concat!($text, "\0")) },
            library: const { c(concat!($library, "\0")) },
            whole: const {
                c(concat!($library, ": ", stringify!($name), ", ", $text, "\0"))
            },
        },)*];
    };
}

/// All tables, in order of their numbers.
pub static TABLES: &[&[Known]] = &[COMMON, IO, HTTP, COMPRESSION, AUTH, CAL, S3, SDKUTILS];

/// The entry of a number.
pub fn find(code: i32) -> Option<&'static Known> {
    let table = TABLES.iter().find(|t| t.last().is_some_and(|last| code <= last.code))?;
    table.binary_search_by_key(&code, |known| known.code).ok().map(|at| &table[at])
}

errors! { COMMON, "aws-c-common":
    0 AWS_ERROR_SUCCESS "The call succeeded."
    1 AWS_ERROR_OOM "Memory could not be allocated."
    2 AWS_ERROR_NO_SPACE "The device has no space left."
    3 AWS_ERROR_UNKNOWN "The cause is not known."
    4 AWS_ERROR_SHORT_BUFFER "The buffer is shorter than what it should hold."
    5 AWS_ERROR_OVERFLOW_DETECTED "A number went beyond what its type can hold."
    6 AWS_ERROR_UNSUPPORTED_OPERATION "This operation is not supported here."
    7 AWS_ERROR_INVALID_BUFFER_SIZE "The buffer's size does not fit the operation."
    8 AWS_ERROR_INVALID_HEX_STR "The text is not valid hexadecimal."
    9 AWS_ERROR_INVALID_BASE64_STR "The text is not valid base64."
    10 AWS_ERROR_INVALID_INDEX "The index is outside of the list."
    11 AWS_ERROR_THREAD_INVALID_SETTINGS "The system refused the settings of the new thread."
    12 AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE "The system has no resources for another thread."
    13 AWS_ERROR_THREAD_NO_PERMISSIONS "The settings of the thread need a permission that is missing."
    14 AWS_ERROR_THREAD_NOT_JOINABLE "The thread cannot be joined."
    15 AWS_ERROR_THREAD_NO_SUCH_THREAD_ID "There is no such thread."
    16 AWS_ERROR_THREAD_DEADLOCK_DETECTED "Waiting would have blocked the thread for ever."
    17 AWS_ERROR_MUTEX_NOT_INIT "The mutex was not initialised."
    18 AWS_ERROR_MUTEX_TIMEOUT "The mutex is held by somebody else."
    19 AWS_ERROR_MUTEX_CALLER_NOT_OWNER "The caller does not hold the mutex."
    20 AWS_ERROR_MUTEX_FAILED "The mutex operation failed."
    21 AWS_ERROR_COND_VARIABLE_INIT_FAILED "The condition variable could not be made."
    22 AWS_ERROR_COND_VARIABLE_TIMED_OUT "Waiting on the condition variable took too long."
    23 AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN "Waiting on the condition variable failed."
    24 AWS_ERROR_CLOCK_FAILURE "The clock could not be read."
    25 AWS_ERROR_LIST_EMPTY "The list has no items."
    26 AWS_ERROR_DEST_COPY_TOO_SMALL "The destination has no room for the data."
    27 AWS_ERROR_LIST_EXCEEDS_MAX_SIZE "The list has reached its largest size."
    28 AWS_ERROR_LIST_STATIC_MODE_CANT_SHRINK "A list over foreign memory cannot shrink."
    29 AWS_ERROR_PRIORITY_QUEUE_FULL "The priority queue is full."
    30 AWS_ERROR_PRIORITY_QUEUE_EMPTY "The priority queue is empty."
    31 AWS_ERROR_PRIORITY_QUEUE_BAD_NODE "The node is not in the priority queue."
    32 AWS_ERROR_HASHTBL_ITEM_NOT_FOUND "The hash table has no such item."
    33 AWS_ERROR_INVALID_DATE_STR "The text is not a date of the expected form."
    34 AWS_ERROR_INVALID_ARGUMENT "An argument is not valid."
    35 AWS_ERROR_RANDOM_GEN_FAILED "Random numbers could not be generated."
    36 AWS_ERROR_MALFORMED_INPUT_STRING "The input text is malformed."
    37 AWS_ERROR_UNIMPLEMENTED "This capability is not available."
    38 AWS_ERROR_INVALID_STATE "The object's state does not allow this call."
    39 AWS_ERROR_ENVIRONMENT_GET "The environment variable could not be read."
    40 AWS_ERROR_ENVIRONMENT_SET "The environment variable could not be set."
    41 AWS_ERROR_ENVIRONMENT_UNSET "The environment variable could not be removed."
    42 AWS_ERROR_STREAM_UNSEEKABLE "The stream has no positions to go to."
    43 AWS_ERROR_NO_PERMISSION "The permission for this is missing."
    44 AWS_ERROR_FILE_INVALID_PATH "The path names nothing usable."
    45 AWS_ERROR_MAX_FDS_EXCEEDED "The process has no free file descriptors."
    46 AWS_ERROR_SYS_CALL_FAILURE "A system call failed."
    47 AWS_ERROR_C_STRING_BUFFER_NOT_NULL_TERMINATED "The C string has no zero at its end."
    48 AWS_ERROR_STRING_MATCH_NOT_FOUND "The text searched for was not found."
    49 AWS_ERROR_DIVIDE_BY_ZERO "The divisor is zero."
    50 AWS_ERROR_INVALID_FILE_HANDLE "The file handle is not valid."
    51 AWS_ERROR_OPERATION_INTERUPTED "The operation was interrupted."
    52 AWS_ERROR_DIRECTORY_NOT_EMPTY "The directory is not empty."
    53 AWS_ERROR_PLATFORM_NOT_SUPPORTED "This platform does not support it."
    54 AWS_ERROR_INVALID_UTF8 "The bytes are not valid UTF-8."
    55 AWS_ERROR_GET_HOME_DIRECTORY_FAILED "The home directory could not be found."
    56 AWS_ERROR_INVALID_XML "The XML document is malformed."
    57 AWS_ERROR_FILE_OPEN_FAILURE "The file could not be opened."
    58 AWS_ERROR_FILE_READ_FAILURE "The file could not be read."
    59 AWS_ERROR_FILE_WRITE_FAILURE "The file could not be written."
    60 AWS_ERROR_INVALID_CBOR "The CBOR data is malformed."
    61 AWS_ERROR_CBOR_UNEXPECTED_TYPE "The CBOR item is not of the expected type."
    62 AWS_ERROR_CBOR_RESOURCE_LIMIT_EXCEEDED "The CBOR data goes beyond a limit."
    63 AWS_ERROR_EXTERNAL_REQUEST_SHUTDOWN "Something outside of the library asked for the shutdown."
}

errors! { IO, "aws-c-io":
    1024 AWS_IO_CHANNEL_ERROR_ERROR_CANT_ACCEPT_INPUT "The channel cannot take input."
    1025 AWS_IO_CHANNEL_UNKNOWN_MESSAGE_TYPE "The channel got a message of an unknown type."
    1026 AWS_IO_CHANNEL_READ_WOULD_EXCEED_WINDOW "The read would exceed the window."
    1027 AWS_IO_EVENT_LOOP_ALREADY_ASSIGNED "The event loop is already assigned to another owner."
    1028 AWS_IO_EVENT_LOOP_SHUTDOWN "The event loop is shutting down."
    1029 AWS_IO_TLS_ERROR_NEGOTIATION_FAILURE "The TLS handshake failed."
    1030 AWS_IO_TLS_ERROR_NOT_NEGOTIATED "The TLS handshake has not happened yet."
    1031 AWS_IO_TLS_ERROR_WRITE_FAILURE "Encrypted data could not be written."
    1032 AWS_IO_TLS_ERROR_ALERT_RECEIVED "The peer sent a fatal TLS alert."
    1033 AWS_IO_TLS_CTX_ERROR "The TLS context could not be made."
    1034 AWS_IO_TLS_VERSION_UNSUPPORTED "The TLS version is not supported."
    1035 AWS_IO_TLS_CIPHER_PREF_UNSUPPORTED "The TLS cipher preference is not supported."
    1036 AWS_IO_MISSING_ALPN_MESSAGE "The message with the negotiated protocol did not come."
    1037 AWS_IO_UNHANDLED_ALPN_PROTOCOL_MESSAGE "Nobody handles the protocol that ALPN chose."
    1038 AWS_IO_FILE_VALIDATION_FAILURE "The file did not pass its validation."
    1039 AWS_ERROR_IO_EVENT_LOOP_THREAD_ONLY "This must be called on the event loop's own thread."
    1040 AWS_ERROR_IO_ALREADY_SUBSCRIBED "The handle is already subscribed."
    1041 AWS_ERROR_IO_NOT_SUBSCRIBED "The handle is not subscribed."
    1042 AWS_ERROR_IO_OPERATION_CANCELLED "The operation was cancelled."
    1043 AWS_IO_READ_WOULD_BLOCK "A read would block."
    1044 AWS_IO_BROKEN_PIPE "The other end of the pipe is closed."
    1045 AWS_IO_SOCKET_UNSUPPORTED_ADDRESS_FAMILY "The socket's address family is not supported."
    1046 AWS_IO_SOCKET_INVALID_OPERATION_FOR_TYPE "A socket of this type cannot do this."
    1047 AWS_IO_SOCKET_CONNECTION_REFUSED "The peer refused the connection."
    1048 AWS_IO_SOCKET_TIMEOUT "The socket operation took too long."
    1049 AWS_IO_SOCKET_NO_ROUTE_TO_HOST "There is no route to the host."
    1050 AWS_IO_SOCKET_NETWORK_DOWN "The network is down."
    1051 AWS_IO_SOCKET_CLOSED "The socket was closed."
    1052 AWS_IO_SOCKET_NOT_CONNECTED "The socket is not connected."
    1053 AWS_IO_SOCKET_INVALID_OPTIONS "The socket options are not valid."
    1054 AWS_IO_SOCKET_ADDRESS_IN_USE "The address is in use."
    1055 AWS_IO_SOCKET_INVALID_ADDRESS "The address is not valid."
    1056 AWS_IO_SOCKET_ILLEGAL_OPERATION_FOR_STATE "The socket's state does not allow this."
    1057 AWS_IO_SOCKET_CONNECT_ABORTED "The connection was aborted."
    1058 AWS_IO_DNS_QUERY_FAILED "The host name could not be resolved."
    1059 AWS_IO_DNS_INVALID_NAME "The host name is not valid."
    1060 AWS_IO_DNS_NO_ADDRESS_FOR_HOST "The host has no addresses."
    1061 AWS_IO_DNS_HOST_REMOVED_FROM_CACHE "The host was removed from the cache."
    1062 AWS_IO_STREAM_INVALID_SEEK_POSITION "The position is outside of the stream."
    1063 AWS_IO_STREAM_READ_FAILED "The stream could not be read."
    1064 DEPRECATED_AWS_IO_INVALID_FILE_HANDLE "The file handle is not valid."
    1065 AWS_IO_SHARED_LIBRARY_LOAD_FAILURE "The shared library could not be loaded."
    1066 AWS_IO_SHARED_LIBRARY_FIND_SYMBOL_FAILURE "The shared library has no such symbol."
    1067 AWS_IO_TLS_NEGOTIATION_TIMEOUT "The TLS handshake took too long."
    1068 AWS_IO_TLS_ALERT_NOT_GRACEFUL "The TLS connection ended without a graceful close."
    1069 AWS_IO_MAX_RETRIES_EXCEEDED "No retry is left."
    1070 AWS_IO_RETRY_PERMISSION_DENIED "The retry strategy allows no further retry."
    1071 AWS_IO_TLS_DIGEST_ALGORITHM_UNSUPPORTED "The TLS digest algorithm is not supported."
    1072 AWS_IO_TLS_SIGNATURE_ALGORITHM_UNSUPPORTED "The TLS signature algorithm is not supported."
    1073 AWS_ERROR_PKCS11_VERSION_UNSUPPORTED "The version of the PKCS#11 library is not supported."
    1074 AWS_ERROR_PKCS11_TOKEN_NOT_FOUND "No PKCS#11 token matches."
    1075 AWS_ERROR_PKCS11_KEY_NOT_FOUND "No PKCS#11 key matches."
    1076 AWS_ERROR_PKCS11_KEY_TYPE_UNSUPPORTED "The type of the PKCS#11 key is not supported."
    1077 AWS_ERROR_PKCS11_UNKNOWN_CRYPTOKI_RETURN_VALUE "The PKCS#11 library returned an unknown value."
    1078 AWS_ERROR_PKCS11_CKR_CANCEL "A PKCS#11 function failed: CKR_CANCEL."
    1079 AWS_ERROR_PKCS11_CKR_HOST_MEMORY "A PKCS#11 function failed: CKR_HOST_MEMORY."
    1080 AWS_ERROR_PKCS11_CKR_SLOT_ID_INVALID "A PKCS#11 function failed: CKR_SLOT_ID_INVALID."
    1081 AWS_ERROR_PKCS11_CKR_GENERAL_ERROR "A PKCS#11 function failed: CKR_GENERAL_ERROR."
    1082 AWS_ERROR_PKCS11_CKR_FUNCTION_FAILED "A PKCS#11 function failed: CKR_FUNCTION_FAILED."
    1083 AWS_ERROR_PKCS11_CKR_ARGUMENTS_BAD "A PKCS#11 function failed: CKR_ARGUMENTS_BAD."
    1084 AWS_ERROR_PKCS11_CKR_NO_EVENT "A PKCS#11 function failed: CKR_NO_EVENT."
    1085 AWS_ERROR_PKCS11_CKR_NEED_TO_CREATE_THREADS "A PKCS#11 function failed: CKR_NEED_TO_CREATE_THREADS."
    1086 AWS_ERROR_PKCS11_CKR_CANT_LOCK "A PKCS#11 function failed: CKR_CANT_LOCK."
    1087 AWS_ERROR_PKCS11_CKR_ATTRIBUTE_READ_ONLY "A PKCS#11 function failed: CKR_ATTRIBUTE_READ_ONLY."
    1088 AWS_ERROR_PKCS11_CKR_ATTRIBUTE_SENSITIVE "A PKCS#11 function failed: CKR_ATTRIBUTE_SENSITIVE."
    1089 AWS_ERROR_PKCS11_CKR_ATTRIBUTE_TYPE_INVALID "A PKCS#11 function failed: CKR_ATTRIBUTE_TYPE_INVALID."
    1090 AWS_ERROR_PKCS11_CKR_ATTRIBUTE_VALUE_INVALID "A PKCS#11 function failed: CKR_ATTRIBUTE_VALUE_INVALID."
    1091 AWS_ERROR_PKCS11_CKR_ACTION_PROHIBITED "A PKCS#11 function failed: CKR_ACTION_PROHIBITED."
    1092 AWS_ERROR_PKCS11_CKR_DATA_INVALID "A PKCS#11 function failed: CKR_DATA_INVALID."
    1093 AWS_ERROR_PKCS11_CKR_DATA_LEN_RANGE "A PKCS#11 function failed: CKR_DATA_LEN_RANGE."
    1094 AWS_ERROR_PKCS11_CKR_DEVICE_ERROR "A PKCS#11 function failed: CKR_DEVICE_ERROR."
    1095 AWS_ERROR_PKCS11_CKR_DEVICE_MEMORY "A PKCS#11 function failed: CKR_DEVICE_MEMORY."
    1096 AWS_ERROR_PKCS11_CKR_DEVICE_REMOVED "A PKCS#11 function failed: CKR_DEVICE_REMOVED."
    1097 AWS_ERROR_PKCS11_CKR_ENCRYPTED_DATA_INVALID "A PKCS#11 function failed: CKR_ENCRYPTED_DATA_INVALID."
    1098 AWS_ERROR_PKCS11_CKR_ENCRYPTED_DATA_LEN_RANGE "A PKCS#11 function failed: CKR_ENCRYPTED_DATA_LEN_RANGE."
    1099 AWS_ERROR_PKCS11_CKR_FUNCTION_CANCELED "A PKCS#11 function failed: CKR_FUNCTION_CANCELED."
    1100 AWS_ERROR_PKCS11_CKR_FUNCTION_NOT_PARALLEL "A PKCS#11 function failed: CKR_FUNCTION_NOT_PARALLEL."
    1101 AWS_ERROR_PKCS11_CKR_FUNCTION_NOT_SUPPORTED "A PKCS#11 function failed: CKR_FUNCTION_NOT_SUPPORTED."
    1102 AWS_ERROR_PKCS11_CKR_KEY_HANDLE_INVALID "A PKCS#11 function failed: CKR_KEY_HANDLE_INVALID."
    1103 AWS_ERROR_PKCS11_CKR_KEY_SIZE_RANGE "A PKCS#11 function failed: CKR_KEY_SIZE_RANGE."
    1104 AWS_ERROR_PKCS11_CKR_KEY_TYPE_INCONSISTENT "A PKCS#11 function failed: CKR_KEY_TYPE_INCONSISTENT."
    1105 AWS_ERROR_PKCS11_CKR_KEY_NOT_NEEDED "A PKCS#11 function failed: CKR_KEY_NOT_NEEDED."
    1106 AWS_ERROR_PKCS11_CKR_KEY_CHANGED "A PKCS#11 function failed: CKR_KEY_CHANGED."
    1107 AWS_ERROR_PKCS11_CKR_KEY_NEEDED "A PKCS#11 function failed: CKR_KEY_NEEDED."
    1108 AWS_ERROR_PKCS11_CKR_KEY_INDIGESTIBLE "A PKCS#11 function failed: CKR_KEY_INDIGESTIBLE."
    1109 AWS_ERROR_PKCS11_CKR_KEY_FUNCTION_NOT_PERMITTED "A PKCS#11 function failed: CKR_KEY_FUNCTION_NOT_PERMITTED."
    1110 AWS_ERROR_PKCS11_CKR_KEY_NOT_WRAPPABLE "A PKCS#11 function failed: CKR_KEY_NOT_WRAPPABLE."
    1111 AWS_ERROR_PKCS11_CKR_KEY_UNEXTRACTABLE "A PKCS#11 function failed: CKR_KEY_UNEXTRACTABLE."
    1112 AWS_ERROR_PKCS11_CKR_MECHANISM_INVALID "A PKCS#11 function failed: CKR_MECHANISM_INVALID."
    1113 AWS_ERROR_PKCS11_CKR_MECHANISM_PARAM_INVALID "A PKCS#11 function failed: CKR_MECHANISM_PARAM_INVALID."
    1114 AWS_ERROR_PKCS11_CKR_OBJECT_HANDLE_INVALID "A PKCS#11 function failed: CKR_OBJECT_HANDLE_INVALID."
    1115 AWS_ERROR_PKCS11_CKR_OPERATION_ACTIVE "A PKCS#11 function failed: CKR_OPERATION_ACTIVE."
    1116 AWS_ERROR_PKCS11_CKR_OPERATION_NOT_INITIALIZED "A PKCS#11 function failed: CKR_OPERATION_NOT_INITIALIZED."
    1117 AWS_ERROR_PKCS11_CKR_PIN_INCORRECT "A PKCS#11 function failed: CKR_PIN_INCORRECT."
    1118 AWS_ERROR_PKCS11_CKR_PIN_INVALID "A PKCS#11 function failed: CKR_PIN_INVALID."
    1119 AWS_ERROR_PKCS11_CKR_PIN_LEN_RANGE "A PKCS#11 function failed: CKR_PIN_LEN_RANGE."
    1120 AWS_ERROR_PKCS11_CKR_PIN_EXPIRED "A PKCS#11 function failed: CKR_PIN_EXPIRED."
    1121 AWS_ERROR_PKCS11_CKR_PIN_LOCKED "A PKCS#11 function failed: CKR_PIN_LOCKED."
    1122 AWS_ERROR_PKCS11_CKR_SESSION_CLOSED "A PKCS#11 function failed: CKR_SESSION_CLOSED."
    1123 AWS_ERROR_PKCS11_CKR_SESSION_COUNT "A PKCS#11 function failed: CKR_SESSION_COUNT."
    1124 AWS_ERROR_PKCS11_CKR_SESSION_HANDLE_INVALID "A PKCS#11 function failed: CKR_SESSION_HANDLE_INVALID."
    1125 AWS_ERROR_PKCS11_CKR_SESSION_PARALLEL_NOT_SUPPORTED "A PKCS#11 function failed: CKR_SESSION_PARALLEL_NOT_SUPPORTED."
    1126 AWS_ERROR_PKCS11_CKR_SESSION_READ_ONLY "A PKCS#11 function failed: CKR_SESSION_READ_ONLY."
    1127 AWS_ERROR_PKCS11_CKR_SESSION_EXISTS "A PKCS#11 function failed: CKR_SESSION_EXISTS."
    1128 AWS_ERROR_PKCS11_CKR_SESSION_READ_ONLY_EXISTS "A PKCS#11 function failed: CKR_SESSION_READ_ONLY_EXISTS."
    1129 AWS_ERROR_PKCS11_CKR_SESSION_READ_WRITE_SO_EXISTS "A PKCS#11 function failed: CKR_SESSION_READ_WRITE_SO_EXISTS."
    1130 AWS_ERROR_PKCS11_CKR_SIGNATURE_INVALID "A PKCS#11 function failed: CKR_SIGNATURE_INVALID."
    1131 AWS_ERROR_PKCS11_CKR_SIGNATURE_LEN_RANGE "A PKCS#11 function failed: CKR_SIGNATURE_LEN_RANGE."
    1132 AWS_ERROR_PKCS11_CKR_TEMPLATE_INCOMPLETE "A PKCS#11 function failed: CKR_TEMPLATE_INCOMPLETE."
    1133 AWS_ERROR_PKCS11_CKR_TEMPLATE_INCONSISTENT "A PKCS#11 function failed: CKR_TEMPLATE_INCONSISTENT."
    1134 AWS_ERROR_PKCS11_CKR_TOKEN_NOT_PRESENT "A PKCS#11 function failed: CKR_TOKEN_NOT_PRESENT."
    1135 AWS_ERROR_PKCS11_CKR_TOKEN_NOT_RECOGNIZED "A PKCS#11 function failed: CKR_TOKEN_NOT_RECOGNIZED."
    1136 AWS_ERROR_PKCS11_CKR_TOKEN_WRITE_PROTECTED "A PKCS#11 function failed: CKR_TOKEN_WRITE_PROTECTED."
    1137 AWS_ERROR_PKCS11_CKR_UNWRAPPING_KEY_HANDLE_INVALID "A PKCS#11 function failed: CKR_UNWRAPPING_KEY_HANDLE_INVALID."
    1138 AWS_ERROR_PKCS11_CKR_UNWRAPPING_KEY_SIZE_RANGE "A PKCS#11 function failed: CKR_UNWRAPPING_KEY_SIZE_RANGE."
    1139 AWS_ERROR_PKCS11_CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT "A PKCS#11 function failed: CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT."
    1140 AWS_ERROR_PKCS11_CKR_USER_ALREADY_LOGGED_IN "A PKCS#11 function failed: CKR_USER_ALREADY_LOGGED_IN."
    1141 AWS_ERROR_PKCS11_CKR_USER_NOT_LOGGED_IN "A PKCS#11 function failed: CKR_USER_NOT_LOGGED_IN."
    1142 AWS_ERROR_PKCS11_CKR_USER_PIN_NOT_INITIALIZED "A PKCS#11 function failed: CKR_USER_PIN_NOT_INITIALIZED."
    1143 AWS_ERROR_PKCS11_CKR_USER_TYPE_INVALID "A PKCS#11 function failed: CKR_USER_TYPE_INVALID."
    1144 AWS_ERROR_PKCS11_CKR_USER_ANOTHER_ALREADY_LOGGED_IN "A PKCS#11 function failed: CKR_USER_ANOTHER_ALREADY_LOGGED_IN."
    1145 AWS_ERROR_PKCS11_CKR_USER_TOO_MANY_TYPES "A PKCS#11 function failed: CKR_USER_TOO_MANY_TYPES."
    1146 AWS_ERROR_PKCS11_CKR_WRAPPED_KEY_INVALID "A PKCS#11 function failed: CKR_WRAPPED_KEY_INVALID."
    1147 AWS_ERROR_PKCS11_CKR_WRAPPED_KEY_LEN_RANGE "A PKCS#11 function failed: CKR_WRAPPED_KEY_LEN_RANGE."
    1148 AWS_ERROR_PKCS11_CKR_WRAPPING_KEY_HANDLE_INVALID "A PKCS#11 function failed: CKR_WRAPPING_KEY_HANDLE_INVALID."
    1149 AWS_ERROR_PKCS11_CKR_WRAPPING_KEY_SIZE_RANGE "A PKCS#11 function failed: CKR_WRAPPING_KEY_SIZE_RANGE."
    1150 AWS_ERROR_PKCS11_CKR_WRAPPING_KEY_TYPE_INCONSISTENT "A PKCS#11 function failed: CKR_WRAPPING_KEY_TYPE_INCONSISTENT."
    1151 AWS_ERROR_PKCS11_CKR_RANDOM_SEED_NOT_SUPPORTED "A PKCS#11 function failed: CKR_RANDOM_SEED_NOT_SUPPORTED."
    1152 AWS_ERROR_PKCS11_CKR_RANDOM_NO_RNG "A PKCS#11 function failed: CKR_RANDOM_NO_RNG."
    1153 AWS_ERROR_PKCS11_CKR_DOMAIN_PARAMS_INVALID "A PKCS#11 function failed: CKR_DOMAIN_PARAMS_INVALID."
    1154 AWS_ERROR_PKCS11_CKR_CURVE_NOT_SUPPORTED "A PKCS#11 function failed: CKR_CURVE_NOT_SUPPORTED."
    1155 AWS_ERROR_PKCS11_CKR_BUFFER_TOO_SMALL "A PKCS#11 function failed: CKR_BUFFER_TOO_SMALL."
    1156 AWS_ERROR_PKCS11_CKR_SAVED_STATE_INVALID "A PKCS#11 function failed: CKR_SAVED_STATE_INVALID."
    1157 AWS_ERROR_PKCS11_CKR_INFORMATION_SENSITIVE "A PKCS#11 function failed: CKR_INFORMATION_SENSITIVE."
    1158 AWS_ERROR_PKCS11_CKR_STATE_UNSAVEABLE "A PKCS#11 function failed: CKR_STATE_UNSAVEABLE."
    1159 AWS_ERROR_PKCS11_CKR_CRYPTOKI_NOT_INITIALIZED "A PKCS#11 function failed: CKR_CRYPTOKI_NOT_INITIALIZED."
    1160 AWS_ERROR_PKCS11_CKR_CRYPTOKI_ALREADY_INITIALIZED "A PKCS#11 function failed: CKR_CRYPTOKI_ALREADY_INITIALIZED."
    1161 AWS_ERROR_PKCS11_CKR_MUTEX_BAD "A PKCS#11 function failed: CKR_MUTEX_BAD."
    1162 AWS_ERROR_PKCS11_CKR_MUTEX_NOT_LOCKED "A PKCS#11 function failed: CKR_MUTEX_NOT_LOCKED."
    1163 AWS_ERROR_PKCS11_CKR_NEW_PIN_MODE "A PKCS#11 function failed: CKR_NEW_PIN_MODE."
    1164 AWS_ERROR_PKCS11_CKR_NEXT_OTP "A PKCS#11 function failed: CKR_NEXT_OTP."
    1165 AWS_ERROR_PKCS11_CKR_EXCEEDED_MAX_ITERATIONS "A PKCS#11 function failed: CKR_EXCEEDED_MAX_ITERATIONS."
    1166 AWS_ERROR_PKCS11_CKR_FIPS_SELF_TEST_FAILED "A PKCS#11 function failed: CKR_FIPS_SELF_TEST_FAILED."
    1167 AWS_ERROR_PKCS11_CKR_LIBRARY_LOAD_FAILED "A PKCS#11 function failed: CKR_LIBRARY_LOAD_FAILED."
    1168 AWS_ERROR_PKCS11_CKR_PIN_TOO_WEAK "A PKCS#11 function failed: CKR_PIN_TOO_WEAK."
    1169 AWS_ERROR_PKCS11_CKR_PUBLIC_KEY_INVALID "A PKCS#11 function failed: CKR_PUBLIC_KEY_INVALID."
    1170 AWS_ERROR_PKCS11_CKR_FUNCTION_REJECTED "A PKCS#11 function failed: CKR_FUNCTION_REJECTED."
    1171 AWS_ERROR_IO_PINNED_EVENT_LOOP_MISMATCH "A pinned event loop does not belong to the event loop group."
    1172 AWS_ERROR_PKCS11_ENCODING_ERROR "The data could not be encoded for PKCS#11."
    1173 AWS_IO_TLS_ERROR_DEFAULT_TRUST_STORE_NOT_FOUND "The system's trust store was not found."
    1174 AWS_IO_STREAM_SEEK_FAILED "The stream could not go to a position."
    1175 AWS_IO_STREAM_GET_LENGTH_FAILED "The length of the stream could not be found."
    1176 AWS_IO_STREAM_SEEK_UNSUPPORTED "The stream does not support positions."
    1177 AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED "The stream does not know its length."
    1178 AWS_IO_TLS_ERROR_READ_FAILURE "Encrypted data could not be read."
    1179 AWS_ERROR_PEM_MALFORMED "The PEM data is malformed."
    1180 AWS_IO_SOCKET_MISSING_EVENT_LOOP "The socket has no event loop."
    1181 AWS_IO_TLS_UNKNOWN_ROOT_CERTIFICATE "The root certificate is not trusted."
    1182 AWS_IO_TLS_NO_ROOT_CERTIFICATE_FOUND "No root certificate was found."
    1183 AWS_IO_TLS_CERTIFICATE_EXPIRED "A certificate has expired."
    1184 AWS_IO_TLS_CERTIFICATE_NOT_YET_VALID "A certificate is not valid yet."
    1185 AWS_IO_TLS_BAD_CERTIFICATE "A certificate is malformed or not usable."
    1186 AWS_IO_TLS_PEER_CERTIFICATE_EXPIRED "The peer's certificate has expired."
    1187 AWS_IO_TLS_BAD_PEER_CERTIFICATE "The peer's certificate is malformed or not usable."
    1188 AWS_IO_TLS_PEER_CERTIFICATE_REVOKED "The peer's certificate has been revoked."
    1189 AWS_IO_TLS_PEER_CERTIFICATE_UNKNOWN "The peer's certificate is unknown."
    1190 AWS_IO_TLS_INTERNAL_ERROR "An internal error of TLS."
    1191 AWS_IO_TLS_CLOSED_GRACEFUL "The TLS connection was closed gracefully."
    1192 AWS_IO_TLS_CLOSED_ABORT "The TLS connection was aborted."
    1193 AWS_IO_TLS_INVALID_CERTIFICATE_CHAIN "The certificate chain is not valid."
    1194 AWS_IO_TLS_HOST_NAME_MISMATCH "The certificate is for another host name."
    1195 AWS_IO_DNS_QUERY_AGAIN "The name server failed for now; try again."
}

errors! { HTTP, "aws-c-http":
    2048 AWS_ERROR_HTTP_UNKNOWN "An unknown HTTP error."
    2049 AWS_ERROR_HTTP_HEADER_NOT_FOUND "The header was not found."
    2050 AWS_ERROR_HTTP_INVALID_HEADER_FIELD "The header is not valid."
    2051 AWS_ERROR_HTTP_INVALID_HEADER_NAME "The header's name is not valid."
    2052 AWS_ERROR_HTTP_INVALID_HEADER_VALUE "The header's value is not valid."
    2053 AWS_ERROR_HTTP_INVALID_METHOD "The HTTP method is not valid."
    2054 AWS_ERROR_HTTP_INVALID_PATH "The path is not valid."
    2055 AWS_ERROR_HTTP_INVALID_STATUS_CODE "The status code is not valid."
    2056 AWS_ERROR_HTTP_MISSING_BODY_STREAM "The headers announce a body but there is no body stream."
    2057 AWS_ERROR_HTTP_INVALID_BODY_STREAM "The body stream is not valid here."
    2058 AWS_ERROR_HTTP_CONNECTION_CLOSED "The connection was closed."
    2059 AWS_ERROR_HTTP_SWITCHED_PROTOCOLS "The connection now speaks another protocol."
    2060 AWS_ERROR_HTTP_UNSUPPORTED_PROTOCOL "The peer uses a protocol that is not supported."
    2061 AWS_ERROR_HTTP_REACTION_REQUIRED "A reaction is required before this can go on."
    2062 AWS_ERROR_HTTP_DATA_NOT_AVAILABLE "The data is not there yet."
    2063 AWS_ERROR_HTTP_OUTGOING_STREAM_LENGTH_INCORRECT "The body stream's length is not the announced one."
    2064 AWS_ERROR_HTTP_CALLBACK_FAILURE "A callback returned an error."
    2065 AWS_ERROR_HTTP_WEBSOCKET_UPGRADE_FAILURE "The upgrade to a websocket failed."
    2066 AWS_ERROR_HTTP_WEBSOCKET_CLOSE_FRAME_SENT "A close frame was sent; no more data can follow."
    2067 AWS_ERROR_HTTP_WEBSOCKET_IS_MIDCHANNEL_HANDLER "The websocket is already a handler inside a channel."
    2068 AWS_ERROR_HTTP_CONNECTION_MANAGER_INVALID_STATE_FOR_ACQUIRE "The connection manager's state allows no acquisition."
    2069 AWS_ERROR_HTTP_CONNECTION_MANAGER_VENDED_CONNECTION_UNDERFLOW "More connections were released than acquired."
    2070 AWS_ERROR_HTTP_SERVER_CLOSED "The server has closed."
    2071 AWS_ERROR_HTTP_PROXY_CONNECT_FAILED "The proxy refused the connection."
    2072 AWS_ERROR_HTTP_CONNECTION_MANAGER_SHUTTING_DOWN "The connection manager is shutting down."
    2073 AWS_ERROR_HTTP_CHANNEL_THROUGHPUT_FAILURE "The connection was too slow for too long."
    2074 AWS_ERROR_HTTP_PROTOCOL_ERROR "The peer broke the rules of HTTP."
    2075 AWS_ERROR_HTTP_STREAM_IDS_EXHAUSTED "The connection has no stream identifiers left."
    2076 AWS_ERROR_HTTP_GOAWAY_RECEIVED "The peer sent GOAWAY."
    2077 AWS_ERROR_HTTP_RST_STREAM_RECEIVED "The peer reset the stream."
    2078 AWS_ERROR_HTTP_RST_STREAM_SENT "The stream was reset by this side."
    2079 AWS_ERROR_HTTP_STREAM_NOT_ACTIVATED "The stream has not been activated."
    2080 AWS_ERROR_HTTP_STREAM_HAS_COMPLETED "The stream has already completed."
    2081 AWS_ERROR_HTTP_PROXY_STRATEGY_NTLM_CHALLENGE_TOKEN_MISSING "The proxy's NTLM challenge is missing."
    2082 AWS_ERROR_HTTP_PROXY_STRATEGY_TOKEN_RETRIEVAL_FAILURE "The token for the proxy could not be retrieved."
    2083 AWS_ERROR_HTTP_PROXY_CONNECT_FAILED_RETRYABLE "The proxy refused the connection but another try may succeed."
    2084 AWS_ERROR_HTTP_PROTOCOL_SWITCH_FAILURE "The switch to another protocol failed."
    2085 AWS_ERROR_HTTP_MAX_CONCURRENT_STREAMS_EXCEEDED "The peer allows no further concurrent stream."
    2086 AWS_ERROR_HTTP_STREAM_MANAGER_SHUTTING_DOWN "The stream manager is shutting down."
    2087 AWS_ERROR_HTTP_STREAM_MANAGER_CONNECTION_ACQUIRE_FAILURE "The stream manager could not acquire a connection."
    2088 AWS_ERROR_HTTP_STREAM_MANAGER_UNEXPECTED_HTTP_VERSION "The connection got another HTTP version than the stream manager needs."
    2089 AWS_ERROR_HTTP_WEBSOCKET_PROTOCOL_ERROR "The peer broke the rules of websockets."
    2090 AWS_ERROR_HTTP_MANUAL_WRITE_NOT_ENABLED "Manual writes are not enabled for this stream."
    2091 AWS_ERROR_HTTP_MANUAL_WRITE_HAS_COMPLETED "The last manual write was already made."
    2092 AWS_ERROR_HTTP_RESPONSE_FIRST_BYTE_TIMEOUT "The first byte of the response took too long."
    2093 AWS_ERROR_HTTP_CONNECTION_MANAGER_ACQUISITION_TIMEOUT "The acquisition of a connection took too long."
    2094 AWS_ERROR_HTTP_CONNECTION_MANAGER_MAX_PENDING_ACQUISITIONS_EXCEEDED "Too many acquisitions of connections are waiting."
    2095 AWS_ERROR_HTTP_STREAM_CANCELLED "The stream was cancelled."
}

errors! { COMPRESSION, "aws-c-compression":
    3072 AWS_ERROR_COMPRESSION_UNKNOWN_SYMBOL "A symbol was not found in the compression table."
}

errors! { AUTH, "aws-c-auth":
    6144 AWS_AUTH_SIGNING_UNSUPPORTED_ALGORITHM "The signing algorithm is not supported."
    6145 AWS_AUTH_SIGNING_MISMATCHED_CONFIGURATION "The kind of configuration does not go with the signing function."
    6146 AWS_AUTH_SIGNING_NO_CREDENTIALS "Signing needs credentials."
    6147 AWS_AUTH_SIGNING_ILLEGAL_REQUEST_QUERY_PARAM "The request holds a query parameter that signing would add."
    6148 AWS_AUTH_SIGNING_ILLEGAL_REQUEST_HEADER "The request holds a header that signing would add."
    6149 AWS_AUTH_SIGNING_INVALID_CONFIGURATION "The signing configuration is not valid."
    6150 AWS_AUTH_CREDENTIALS_PROVIDER_INVALID_ENVIRONMENT "The environment holds no valid credentials."
    6151 AWS_AUTH_CREDENTIALS_PROVIDER_INVALID_DELEGATE "The wrapped credentials provider is not valid."
    6152 AWS_AUTH_CREDENTIALS_PROVIDER_PROFILE_SOURCE_FAILURE "The profile did not give credentials."
    6153 AWS_AUTH_CREDENTIALS_PROVIDER_IMDS_SOURCE_FAILURE "The instance metadata service did not give credentials."
    6154 AWS_AUTH_CREDENTIALS_PROVIDER_STS_SOURCE_FAILURE "STS did not give credentials."
    6155 AWS_AUTH_CREDENTIALS_PROVIDER_HTTP_STATUS_FAILURE "The credentials service answered with an error status."
    6156 AWS_AUTH_PROVIDER_PARSER_UNEXPECTED_RESPONSE "The credentials service answered in an unexpected form."
    6157 AWS_AUTH_CREDENTIALS_PROVIDER_ECS_SOURCE_FAILURE "The container service did not give credentials."
    6158 AWS_AUTH_CREDENTIALS_PROVIDER_X509_SOURCE_FAILURE "The X.509 credentials service did not give credentials."
    6159 AWS_AUTH_CREDENTIALS_PROVIDER_PROCESS_SOURCE_FAILURE "The process did not give credentials."
    6160 AWS_AUTH_CREDENTIALS_PROVIDER_STS_WEB_IDENTITY_SOURCE_FAILURE "STS with a web identity did not give credentials."
    6161 AWS_AUTH_SIGNING_UNSUPPORTED_SIGNATURE_TYPE "The signature type is not supported."
    6162 AWS_AUTH_SIGNING_MISSING_PREVIOUS_SIGNATURE "Signing a chunk needs the previous signature."
    6163 AWS_AUTH_SIGNING_INVALID_CREDENTIALS "The credentials do not fit the signing operation."
    6164 AWS_AUTH_CANONICAL_REQUEST_MISMATCH "The canonical request is not the expected one."
    6165 AWS_AUTH_SIGV4A_SIGNATURE_VALIDATION_FAILURE "The SigV4a signature is not valid."
    6166 AWS_AUTH_CREDENTIALS_PROVIDER_COGNITO_SOURCE_FAILURE "Cognito did not give credentials."
    6167 AWS_AUTH_CREDENTIALS_PROVIDER_DELEGATE_FAILURE "The delegate did not give credentials."
    6168 AWS_AUTH_SSO_TOKEN_PROVIDER_SOURCE_FAILURE "The SSO token could not be sourced."
    6169 AWS_AUTH_SSO_TOKEN_INVALID "The SSO token is not valid."
    6170 AWS_AUTH_SSO_TOKEN_EXPIRED "The SSO token has expired."
    6171 AWS_AUTH_CREDENTIALS_PROVIDER_SSO_SOURCE_FAILURE "SSO did not give credentials."
    6172 AWS_AUTH_IMDS_CLIENT_SOURCE_FAILURE "The instance metadata service did not answer as expected."
    6173 AWS_AUTH_PROFILE_STS_CREDENTIALS_PROVIDER_CYCLE_FAILURE "The profile's chain of roles leads back to itself."
    6174 AWS_AUTH_CREDENTIALS_PROVIDER_ECS_INVALID_TOKEN_FILE_PATH "The path of the container token file is not valid."
    6175 AWS_AUTH_CREDENTIALS_PROVIDER_ECS_INVALID_HOST "The host of the container service is not allowed."
    6176 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_SESSION_MISSING "The profile has no login session."
    6177 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_REGION_MISSING "The profile has no region for its login session."
    6178 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_CREATE_TOKEN_PATH "The path of the login token could not be made."
    6179 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_CREATE_TOKEN "The login token could not be made."
    6180 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_TOKEN_EXPIRED "The login token has expired."
    6181 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_INVALID_PEM "The key of the login session is not valid PEM."
    6182 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_CREATE_REFRESH_TOKEN "The login token could not be refreshed."
    6183 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_WRITE_TOKEN "The login token could not be written."
    6184 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_CREATE_DPOP_HEADER "The proof-of-possession header could not be made."
    6185 AWS_AUTH_CREDENTIALS_PROVIDER_LOGIN_FAILED_TO_CREATE_REQUEST_BODY "The body of the login request could not be made."
}

errors! { CAL, "aws-c-cal":
    7168 AWS_ERROR_CAL_SIGNATURE_VALIDATION_FAILED "The signature is not valid."
    7169 AWS_ERROR_CAL_MISSING_REQUIRED_KEY_COMPONENT "The key has not all components it needs."
    7170 AWS_ERROR_CAL_INVALID_KEY_LENGTH_FOR_ALGORITHM "The key's length does not fit the algorithm."
    7171 AWS_ERROR_CAL_UNKNOWN_OBJECT_IDENTIFIER "The object identifier is unknown."
    7172 AWS_ERROR_CAL_MALFORMED_ASN1_ENCOUNTERED "The ASN.1 data is malformed."
    7173 AWS_ERROR_CAL_MISMATCHED_DER_TYPE "The DER item is of another type."
    7174 AWS_ERROR_CAL_UNSUPPORTED_ALGORITHM "The algorithm is not supported."
    7175 AWS_ERROR_CAL_BUFFER_TOO_LARGE_FOR_ALGORITHM "The data is too large for the algorithm."
    7176 AWS_ERROR_CAL_INVALID_CIPHER_MATERIAL_SIZE_FOR_ALGORITHM "Key, vector or tag have a wrong size for the cipher."
    7177 AWS_ERROR_CAL_DER_UNSUPPORTED_NEGATIVE_INT "Negative DER integers are not supported."
    7178 AWS_ERROR_CAL_UNSUPPORTED_KEY_FORMAT "The key's format is not supported."
    7179 AWS_ERROR_CAL_CRYPTO_OPERATION_FAILED "The cryptographic operation failed."
}

errors! { S3, "aws-c-s3":
    14336 AWS_ERROR_S3_MISSING_CONTENT_RANGE_HEADER "The response has no Content-Range."
    14337 AWS_ERROR_S3_INVALID_CONTENT_RANGE_HEADER "The response's Content-Range is malformed."
    14338 AWS_ERROR_S3_MISSING_CONTENT_LENGTH_HEADER "The response has no Content-Length."
    14339 AWS_ERROR_S3_INVALID_CONTENT_LENGTH_HEADER "The response's Content-Length is malformed."
    14340 AWS_ERROR_S3_MISSING_ETAG "The response has no ETag."
    14341 AWS_ERROR_S3_INTERNAL_ERROR "An internal error, of the server or of this library."
    14342 AWS_ERROR_S3_SLOW_DOWN "The server asked for a slower pace."
    14343 AWS_ERROR_S3_INVALID_RESPONSE_STATUS "The response's status is not one of success."
    14344 AWS_ERROR_S3_MISSING_UPLOAD_ID "The response has no upload id."
    14345 AWS_ERROR_S3_PROXY_PARSE_FAILED "The proxy's URI could not be parsed."
    14346 AWS_ERROR_S3_UNSUPPORTED_PROXY_SCHEME "The proxy's scheme is not supported."
    14347 AWS_ERROR_S3_CANCELED "The request was cancelled."
    14348 AWS_ERROR_S3_INVALID_RANGE_HEADER "The Range header is not valid."
    14349 AWS_ERROR_S3_MULTIRANGE_HEADER_UNSUPPORTED "Ranges with several parts are not supported."
    14350 AWS_ERROR_S3_RESPONSE_CHECKSUM_MISMATCH "The checksum of the response does not match its body."
    14351 AWS_ERROR_S3_CHECKSUM_CALCULATION_FAILED "The checksum could not be calculated."
    14352 AWS_ERROR_S3_PAUSED "The request was paused."
    14353 AWS_ERROR_S3_LIST_PARTS_PARSE_FAILED "The list of parts could not be parsed."
    14354 AWS_ERROR_S3_RESUMED_PART_CHECKSUM_MISMATCH "A part that was uploaded before has another checksum now."
    14355 AWS_ERROR_S3_RESUME_FAILED "The transfer could not be resumed."
    14356 AWS_ERROR_S3_OBJECT_MODIFIED "The object was modified during the transfer."
    14357 AWS_ERROR_S3_NON_RECOVERABLE_ASYNC_ERROR "An earlier asynchronous error does not allow to go on."
    14358 AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE "This figure is not available."
    14359 AWS_ERROR_S3_INCORRECT_CONTENT_LENGTH "The body is not as long as announced."
    14360 AWS_ERROR_S3_REQUEST_TIME_TOO_SKEWED "The clocks of client and server are too far apart."
    14361 AWS_ERROR_S3_FILE_MODIFIED "The file was modified during the transfer."
    14362 AWS_ERROR_S3_EXCEEDS_MEMORY_LIMIT "The request needs more memory than the limit allows."
    14363 AWS_ERROR_S3_INVALID_MEMORY_LIMIT_CONFIG "The memory limit is too small for this client."
    14364 AWS_ERROR_S3EXPRESS_CREATE_SESSION_FAILED "The S3 Express session could not be created."
    14365 AWS_ERROR_S3_INTERNAL_BUFFER_SIZE_MISMATCH_RETRYING_WITH_RANGE "The part was larger than expected; it is requested again by range."
    14366 AWS_ERROR_S3_REQUEST_HAS_COMPLETED "The request has already completed."
    14367 AWS_ERROR_S3_RECV_FILE_ALREADY_EXISTS "The file to receive into exists already."
    14368 AWS_ERROR_S3_RECV_FILE_NOT_FOUND "The file to receive into does not exist."
    14369 AWS_ERROR_S3_REQUEST_TIMEOUT "The request took too long."
    14370 AWS_ERROR_S3_BUFFER_ALLOCATION_FAILED "The buffer could not be allocated."
    14371 AWS_ERROR_S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT "The part size is above the memory limit."
}

errors! { SDKUTILS, "aws-c-sdkutils":
    15360 AWS_ERROR_SDKUTILS_GENERAL "A general error of the SDK utilities."
    15361 AWS_ERROR_SDKUTILS_PARSE_FATAL "The parser met a fatal error."
    15362 AWS_ERROR_SDKUTILS_PARSE_RECOVERABLE "The parser met an error and went on."
    15363 AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_RULESET "The version of the ruleset is not supported."
    15364 AWS_ERROR_SDKUTILS_ENDPOINTS_PARSE_FAILED "The ruleset could not be parsed."
    15365 AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_INIT_FAILED "The resolution of the endpoint could not begin."
    15366 AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_FAILED "The endpoint could not be resolved."
    15367 AWS_ERROR_SDKUTILS_ENDPOINTS_EMPTY_RULESET "The ruleset has no rules."
    15368 AWS_ERROR_SDKUTILS_ENDPOINTS_RULESET_EXHAUSTED "No rule of the ruleset matches."
    15369 AWS_ERROR_SDKUTILS_PARTITIONS_UNSUPPORTED "The version of the partitions is not supported."
    15370 AWS_ERROR_SDKUTILS_PARTITIONS_PARSE_FAILED "The partitions could not be parsed."
    15371 AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_REGEX "The regular expression is not supported."
    15372 AWS_ERROR_SDKUTILS_ENDPOINTS_REGEX_NO_MATCH "The regular expression does not match."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_found() {
        let all: Vec<i32> = TABLES.iter().flat_map(|t| t.iter().map(|k| k.code)).collect();
        assert!(all.is_sorted_by(|a, b| a < b));
        assert!(all.iter().all(|&code| find(code).is_some_and(|k| k.code == code)));
        assert!(find(-1).is_none());
        assert!(find(3071).is_none());
        assert!(find(i32::MAX).is_none());
    }

    /// Second names of a number, which the first one answers for.
    const ALIASES: [&str; 4] = [
        "AWS_IO_INVALID_FILE_HANDLE",
        "AWS_AUTH_PROFILE_PARSE_RECOVERABLE_ERROR",
        "AWS_AUTH_PROFILE_PARSE_FATAL_ERROR",
        "AWS_ERROR_S3_INTERNAL_PART_SIZE_MISMATCH_RETRYING_WITH_RANGE",
    ];

    #[test]
    fn tables_hold_exactly_the_pinned_errors() {
        let mut pinned = 0;
        for line in include_str!("../../../c-tests/abi/errors.tsv").lines() {
            let mut cells = line.split('\t');
            let (name, code, library) = (cells.next(), cells.next(), cells.next());
            let (name, code) = (name.expect("a name"), code.expect("a number"));
            if ALIASES.contains(&name) {
                continue;
            }
            let known = find(code.parse().expect("a number")).expect("known");
            assert_eq!(known.name.to_str(), Ok(name));
            assert_eq!(known.library.to_str().ok(), library);
            pinned += 1;
        }
        assert_eq!(pinned, TABLES.iter().map(|t| t.len()).sum::<usize>());
    }
}
