//! Errors of the store.

use rusqlite::ErrorCode;
use std::path::Path;

/// Reason why a store cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The file is not a store.
    #[error("{path} is not a store of warpsim\nhelp: give another file with --store")]
    NotAStore {
        /// The file.
        path: String,
    },
    /// Another version of the program made the store.
    #[error(
        "{path} has version {found} of the store's tables; this program uses version {expected}\n\
         help: give another file with --store, or use the program that made it"
    )]
    Version {
        /// The file.
        path: String,
        /// Version of the file.
        found: i64,
        /// Version that the program uses.
        expected: i64,
    },
    /// The file has another object than the tables and the view of a store.
    #[error(
        "{path} is not a store of warpsim: {what}\n\
         note: a store has the tables `results` and `points`, the view `rows`, and no trigger\n\
         help: give another file"
    )]
    Foreign {
        /// The file.
        path: String,
        /// The difference from a store.
        what: String,
    },
    /// The file is damaged.
    #[error("{path} is damaged: {why}\nhelp: give another file")]
    Damaged {
        /// The file.
        path: String,
        /// Message of the database.
        why: String,
    },
    /// A result has a value that no simulation gives.
    #[error(
        "{path} has an invalid result: `{column}` of {digest} is {found}; expected {expected}\n\
         help: give another file, or delete this row of the table `results`"
    )]
    Cell {
        /// The file.
        path: String,
        /// Name of the column.
        column: String,
        /// Digest of the result.
        digest: String,
        /// The value.
        found: String,
        /// Valid values.
        expected: String,
    },
    /// A signal stopped the query.
    #[error("interrupted while reading {path}")]
    Interrupted {
        /// The file.
        path: String,
    },
    /// The disk is full.
    #[error(
        "cannot write {path}: the disk is full\n\
         note: all results until now are in the store; free some space and run the experiment again"
    )]
    Full {
        /// The file.
        path: String,
    },
    /// The operating system cannot read or write the file: a disk with an error, a quota, a limit
    /// of file sizes.
    #[error(
        "cannot read or write {path}: {why}\n\
         note: all results until now are in the store\n\
         help: check the disk, its quota and the limit of file sizes, and run the experiment again"
    )]
    Io {
        /// The file.
        path: String,
        /// Message of the database.
        why: String,
    },
    /// Another process uses the store.
    #[error("cannot use {path}: another process has locked it for more than a minute")]
    Locked {
        /// The file.
        path: String,
    },
    /// Any other error.
    #[error("cannot use the store {path}: {why}")]
    Other {
        /// The file.
        path: String,
        /// Message of the database.
        why: String,
    },
}

impl StoreError {
    /// Whether the disk, another process or a signal is the reason: a merge of a damaged file gives
    /// another error.
    pub fn is_of_the_store(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::Io { .. } | Self::Locked { .. } | Self::Interrupted { .. })
    }

    /// Returns the error of a call of the database.
    pub(super) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.display().to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotAStore { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig) => {
                Self::Damaged { path, why: error.to_string() }
            }
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::SystemIoFailure) => Self::Io { path, why: error.to_string() },
            _ => Self::Other { path, why: error.to_string() },
        }
    }
}
