/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/command_line_parser.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_COMMAND_LINE_PARSER_H
#define AWS_COMMON_COMMAND_LINE_PARSER_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether an option has an argument. */
enum aws_cli_options_has_arg {
    AWS_CLI_OPTIONS_NO_ARGUMENT = 0,
    AWS_CLI_OPTIONS_REQUIRED_ARGUMENT = 1,
    AWS_CLI_OPTIONS_OPTIONAL_ARGUMENT = 2,
};

struct aws_cli_option;
struct aws_cli_subcommand_dispatch;

/** Runs a subcommand; `argv` begins at its name. */
typedef int (aws_cli_options_subcommand_fn)(
    int argc,
    char *const *argv,
    const char *command_name,
    void *user_data);

/** A long option. A table of them ends with a zeroed entry. */
struct aws_cli_option {
    /** Without the dashes; may be NULL. */
    const char *name;
    /** Not used: the letter's colon in the option string says it. */
    enum aws_cli_options_has_arg has_arg;
    /** Not used. */
    int *flag;
    /** What the parser returns for it: its letter in the option string. */
    int val;
};

/** A subcommand's name and function. */
struct aws_cli_subcommand_dispatch {
    aws_cli_options_subcommand_fn *subcommand_fn;
    const char *command_name;
};

/** The argument of the option that was parsed last, or NULL. */
extern const char *aws_cli_optarg;

/** The last argument that belongs to no option, or NULL. */
extern const char *aws_cli_positional_arg;

/**
 * Parses the next argument.
 *
 * `argc`, `argv`: of main(); kept through aws_cli_optarg and aws_cli_positional_arg. `optstring`:
 * the letters of all options, each with a colon behind it if it has an argument. `longopts`: the
 * options, ended by a zeroed entry; each has its letter in `val`. `longindex`: written with the
 * option's place in the table, may be NULL.
 * Returns the option's letter, aws_cli_optarg being its argument; 2 for an argument that belongs to
 * no option, which aws_cli_positional_arg then shows; '?' for an unknown option or a missing
 * argument; -1 at the end.
 */
int aws_cli_getopt_long(
    int argc,
    char *const *argv,
    const char *optstring,
    const struct aws_cli_option *longopts,
    int *longindex);

/** Lets the parser begin again, at the argument behind the program's name. */
void aws_cli_reset_state(void);

/**
 * Calls the subcommand that the first argument names, in either case of letters, with the arguments
 * from there on, before this returns.
 *
 * `argc`, `argv`: of main(). `dispatch_table`: `table_length` entries. `user_data`: given to it.
 * Returns what it returns, or AWS_OP_ERR with AWS_ERROR_UNIMPLEMENTED for an unknown name,
 * AWS_ERROR_INVALID_ARGUMENT where there is no argument.
 */
int aws_cli_dispatch_on_subcommand(
    int argc,
    char *const *argv,
    struct aws_cli_subcommand_dispatch *dispatch_table,
    int table_length,
    void *user_data);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_COMMAND_LINE_PARSER_H */
