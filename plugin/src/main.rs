//! catena.
fn main() {}
