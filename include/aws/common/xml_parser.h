/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/xml_parser.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_XML_PARSER_H
#define AWS_COMMON_XML_PARSER_H

#include <aws/common/array_list.h>
#include <aws/common/byte_buf.h>
#include <aws/common/exports.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_xml_node;

/** Called for a node; AWS_OP_ERR ends the parse. */
typedef int (aws_xml_parser_on_node_encountered_fn)(struct aws_xml_node *node, void *user_data);

/** A node of a document that is being parsed. */
struct aws_xml_node;

/** An attribute of a node. */
struct aws_xml_attribute {
    struct aws_byte_cursor name;
    struct aws_byte_cursor value;
};

/** How a document is parsed. */
struct aws_xml_parser_options {
    struct aws_byte_cursor doc;
    /** How deep nodes may be nested; 0 = the default. */
    size_t max_depth;
    aws_xml_parser_on_node_encountered_fn *on_root_encountered;
    void *user_data;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_XML_PARSER_H */
