"""Everything that reads, describes or writes a student's folder."""
