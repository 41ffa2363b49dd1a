//! Each call: what it sends, what it makes of the answer, and of what is none.
