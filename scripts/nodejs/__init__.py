"""What this repository takes from npm, and what it builds with it: the pages' scripts, the browser tests, other engines."""
