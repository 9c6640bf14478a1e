//! Headers `aws/sdkutils/*.h`, one file each.

pub mod aws_profile;
pub mod endpoints_rule_engine;
pub mod sdkutils;
