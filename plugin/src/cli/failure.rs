//! How a command fails: one sentence that names the thing and what to do.

use host_core::session::{EditError, LoadError};
use host_core::store::StoreError;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It was asked for in a way that cannot be (exit code 2).
    #[error("{0}")]
    Usage(String),
    /// It was tried and failed (exit code 1).
    #[error("{0}")]
    Failed(String),
    /// Nobody reads the output any more: end without a word (exit code 0).
    #[error("output closed")]
    Closed,
}

impl Failure {
    /// A failure with its sentence.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }

    /// Wrong use with its sentence.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// The system refused something to do with `path`.
    pub fn io(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Failed(io_text(path, error))
    }

    /// What to tell the user, if anything.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Usage(text) | Self::Failed(text) => Some(text),
            Self::Closed => None,
        }
    }

    /// The program's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
            Self::Closed => 0,
        }
    }
}

/// A sentence for what the system said of `path`.
pub fn io_text(path: &std::path::Path, error: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    let path = path.display();
    match error.kind() {
        Kind::NotFound => format!("{path}: no such file"),
        Kind::PermissionDenied => format!("{path}: not allowed; check the permissions of the file and its folder"),
        Kind::IsADirectory => format!("{path}: is a folder, not a file"),
        Kind::NotADirectory => format!("{path}: a part of this path is a file, not a folder"),
        Kind::StorageFull | Kind::QuotaExceeded => {
            format!("{path}: the disk is full; nothing was written. Make room or choose another place")
        }
        Kind::FileTooLarge => format!("{path}: would be larger than this system allows; nothing was written"),
        Kind::ReadOnlyFilesystem => format!("{path}: lies on a disk that cannot be written to; choose another place"),
        _ => format!("{path}: {error}"),
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { path, source } => Self::io(&path, &source),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Range { .. }
            | EditError::NoParam { .. }
            | EditError::NoPreset { .. }
            | EditError::NotMapped(_)
            | EditError::NoPage { .. }
            | EditError::MacroTaken(_)
            | EditError::PastMacros
            | EditError::NoFreeMacros
            | EditError::NoController(_) => Self::Usage(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}
