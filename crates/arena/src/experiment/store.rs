//! Where records are kept.

use std::collections::BTreeMap;
use std::io;

/// Named texts that can be appended to. (A folder of files is [`Directory`](crate::directory::Directory).)
pub trait Store {
    /// The text of this name; `None` if there is none.
    fn read(&self, name: &str) -> io::Result<Option<String>>;

    /// Puts a text in the place of whatever has this name.
    fn replace(&mut self, name: &str, text: &str) -> io::Result<()>;

    /// Adds to the end of a text that is there.
    fn append(&mut self, name: &str, text: &str) -> io::Result<()>;

    /// Removes a text, if it is there.
    fn remove(&mut self, name: &str) -> io::Result<()>;
}

/// A store that is gone with the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory(pub BTreeMap<String, String>);

impl Store for Memory {
    fn read(&self, name: &str) -> io::Result<Option<String>> {
        Ok(self.0.get(name).cloned())
    }

    fn replace(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.0.insert(name.into(), text.into());
        Ok(())
    }

    fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.0.get_mut(name).ok_or(io::ErrorKind::NotFound)?.push_str(text);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.0.remove(name);
        Ok(())
    }
}
