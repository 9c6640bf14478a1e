//! `aws/sdkutils/endpoints_rule_engine.h`: from rules and parameters to an endpoint.

/// Rules of a service, parsed. Opaque; counted.
pub struct aws_endpoints_ruleset {
    _private: [u8; 0],
}

/// Partitions of the cloud and their regions, parsed. Opaque; counted.
pub struct aws_partitions_config {
    _private: [u8; 0],
}

/// Rules that can be asked for an endpoint. Opaque; counted.
pub struct aws_endpoints_rule_engine {
    _private: [u8; 0],
}

/// What the rules are asked with: named values. Opaque; counted.
pub struct aws_endpoints_request_context {
    _private: [u8; 0],
}

/// What the rules answered: an endpoint, or why there is none. Opaque; counted.
pub struct aws_endpoints_resolved_endpoint {
    _private: [u8; 0],
}

/// What kind of answer the rules gave.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct aws_endpoints_resolved_endpoint_type(pub u32);

impl aws_endpoints_resolved_endpoint_type {
    /// An endpoint: a URL with properties and headers.
    pub const AWS_ENDPOINTS_RESOLVED_ENDPOINT: aws_endpoints_resolved_endpoint_type =
        aws_endpoints_resolved_endpoint_type(0);
    /// A text that says why the parameters have no endpoint.
    pub const AWS_ENDPOINTS_RESOLVED_ERROR: aws_endpoints_resolved_endpoint_type =
        aws_endpoints_resolved_endpoint_type(1);
}

/// What kind of value a parameter takes.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct aws_endpoints_parameter_type(pub u32);

impl aws_endpoints_parameter_type {
    pub const AWS_ENDPOINTS_PARAMETER_STRING: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(0);
    pub const AWS_ENDPOINTS_PARAMETER_BOOLEAN: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(1);
    pub const AWS_ENDPOINTS_PARAMETER_STRING_ARRAY: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(2);
}
