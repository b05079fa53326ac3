//! catena-worker.
fn main() {}
