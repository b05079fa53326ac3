//! Parts of `bench-jack`: a chain as one JACK client, as one client for each plugin, and as a bare loop, on a private server.
//!
//! 1. [`hosts`] starts the programs of an arm and ends them;
//! 2. [`meter`] is a process of its own on the same server: it wires a source, the arm and a sink in series, and notes
//!    when each cycle's last client was reached and what came out;
//! 3. [`cost`] reads what the arm's processes used meanwhile;
//! 4. [`bare`] is the loop that the others are held against.

pub mod bare;
pub mod cost;
pub mod hosts;
pub mod meter;
