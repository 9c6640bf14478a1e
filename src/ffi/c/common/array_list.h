enum {
    /** Debug builds fill freed room with this byte. */
    AWS_ARRAY_LIST_DEBUG_FILL = 0xDD
};
