"""What `scripts/test` is made of: building, running test executables, reading what they say, the report."""
