//! Test programs export the C functions that they stand in for, so that libraries loaded later find them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["malloc", "calloc", "realloc", "free", "pthread_mutex_lock"] {
        println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol={name}");
    }
}
