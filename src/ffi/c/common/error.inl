/** Sets this thread's last error, calls the error handler and returns AWS_OP_ERR. */
AWS_STATIC_IMPL int aws_raise_error(int err) {
    aws_raise_error_private(err);
    return AWS_OP_ERR;
}
