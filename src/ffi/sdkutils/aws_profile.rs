//! `aws/sdkutils/aws_profile.h`: profiles of the shared configuration files.

/// A parsed set of profiles. Opaque; counted.
pub struct aws_profile_collection {
    _private: [u8; 0],
}
