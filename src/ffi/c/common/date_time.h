enum {
    /** Room that every format needs, its NUL included. */
    AWS_DATE_TIME_STR_MAX_LEN = 100,
    /** Room that the short ISO form needs. */
    AWS_DATE_TIME_STR_MAX_BASIC_LEN = 20
};
