/* Nothing of its own: the functions stand in math.inl. */
