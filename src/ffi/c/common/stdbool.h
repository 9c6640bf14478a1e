/* The names of <stdbool.h>, which is included. */
