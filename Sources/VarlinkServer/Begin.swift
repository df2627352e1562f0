// Begins with its first commit.
