//! Headers `aws/http/*.h`, one file each.
