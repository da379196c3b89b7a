"""The programs that this one grew from, with searches of their own where they differ from a textbook."""
