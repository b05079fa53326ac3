//! Tests of the backend against plugins made in this process.
