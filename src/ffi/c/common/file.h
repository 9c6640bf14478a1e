/** What stands between the parts of a path. */
#define AWS_PATH_DELIM '/'
#define AWS_PATH_DELIM_STR "/"

enum {
    /** No open file. */
    AWS_FILE_INVALID_FD = -1
};
