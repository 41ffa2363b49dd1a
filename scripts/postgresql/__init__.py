"""A scratch PostgreSQL server for tests: find the programs, start one on a free loopback port, remove it afterwards."""
