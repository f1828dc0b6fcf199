//! The store in a folder: the one file here that touches files.

use crate::experiment::Store;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// A folder with one file for each text.
#[derive(Clone, Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// The store in this folder, which is made if it is not there.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Directory> {
        let path = path.into();
        fs::create_dir_all(&path)?;
        Ok(Directory(path))
    }
}

impl Store for Directory {
    fn read(&self, name: &str) -> io::Result<Option<String>> {
        match fs::read(self.0.join(name)) {
            // A torn last line may end inside a letter; what it belongs to is dropped by the reader anyway.
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes beside and renames, so that the text is never half there.
    fn replace(&mut self, name: &str, text: &str) -> io::Result<()> {
        let beside = self.0.join(format!("{name}.new"));
        fs::write(&beside, text)?;
        fs::rename(beside, self.0.join(name))
    }

    fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
        OpenOptions::new().append(true).open(self.0.join(name))?.write_all(text.as_bytes())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.0.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
