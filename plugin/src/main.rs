//! `catena`: the standalone program and the command line.

mod cli;
mod standalone;

fn main() -> std::process::ExitCode {
    cli::main()
}
