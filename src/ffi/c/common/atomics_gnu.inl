/* Nothing of its own: the functions stand in atomics.inl. */
