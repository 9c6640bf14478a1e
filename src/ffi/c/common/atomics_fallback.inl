/* Every supported compiler has the builtins that atomics_gnu.inl stands on. */
