//! Harness shared by the behaviour tests.
