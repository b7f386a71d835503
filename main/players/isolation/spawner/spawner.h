/* Reports the error of the last system call on descriptor 2, and exits with 1. */
void fail(const char *what);

/* Closes this descriptor and all above it. */
void close_from(int first);

/* Starts programs side by side, without a box: see starter.c. */
void serve_starts(int starts);
