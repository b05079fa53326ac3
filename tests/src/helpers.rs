//! Pools for tests.

use std::sync::Arc;
use std::thread::JoinHandle;

use host_core::engine::flush_to_zero;
use host_core::pool::{Class, NoPool, Pool, Share};

/// A pool of the ordinary class with `count` helpers, on the cores of this machine in turn: a protocol is best tried where
/// threads meet.
pub fn pool(count: usize) -> Arc<Pool> {
    Arc::new(of_class(Class::ORDINARY, count).expect("threads can be started"))
}

/// The same of another class.
pub fn of_class(class: Class, count: usize) -> Result<Pool, NoPool> {
    let cores = host_core::pool::cores();
    let cores: Vec<_> = cores.iter().copied().cycle().take(count).collect();
    Pool::make(class, &cores, &spawn, flush_to_zero)
}

/// A share of such a pool.
pub fn share(count: usize) -> Arc<Share> {
    Share::new(pool(count))
}

/// Starts a helper.
pub fn spawn(core: usize, life: Box<dyn FnOnce() + Send>) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(format!("test-pool-{core}")).spawn(life)
}
