//! How much memory there is: what the user allows, else what the system will give. Where the system does not tell, as
//! outside Linux, only the user's word counts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is left over for others, and for what is asked for between two looks.
fn prudent(bytes: u64) -> u64 {
    bytes - bytes / 10
}

/// The memory that a command may use.
pub(crate) struct Memory {
    /// What the user allows, in megabytes.
    allowed: Option<usize>,
    /// What may be in use, in bytes, by the machine or its container.
    resident: Option<u64>,
    /// What may be asked for, in bytes, used or not: `ulimit -v`.
    reserved: Option<u64>,
}

impl Memory {
    /// The user's word in megabytes, and what the system says now.
    pub(crate) fn new(allowed: Option<usize>) -> Memory {
        let resident = resident_limit().map(prudent);
        Memory { allowed, resident, reserved: address_limit().map(prudent) }
    }

    /// What decision diagrams may take, in bytes: a part of what there is.
    pub(crate) fn diagrams(&self, usual: usize) -> usize {
        if let Some(megabytes) = self.allowed {
            return megabytes.saturating_mul(1 << 20);
        }
        let most = self.resident.into_iter().chain(self.reserved).min().and_then(|n| usize::try_from(n).ok());
        most.map_or(usual, |most| usual.min(most))
    }

    /// What is exceeded now, if anything is: a message, and what can be done.
    pub(crate) fn exceeded(&self) -> Option<(String, &'static str)> {
        if self.allowed.is_none() && self.resident.is_none() && self.reserved.is_none() {
            return None;
        }
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let (used, asked) = (line_bytes(&status, "VmRSS:"), line_bytes(&status, "VmSize:"));
        let over = |now: Option<u64>, most: Option<u64>| now.zip(most).filter(|(now, most)| now > most);
        if let Some(megabytes) = self.allowed
            && used.is_some_and(|used| used >> 20 > megabytes as u64)
        {
            let message = format!("more than {megabytes} MB of memory are in use");
            return Some((message, "raise --max-memory, or choose smaller parameters"));
        }
        let (now, _) = over(used, self.resident).or_else(|| over(asked, self.reserved))?;
        let message = format!("{} MB of memory are taken, nearly all that there is", now >> 20);
        Some((message, "choose smaller parameters, or give the program more memory"))
    }
}

/// Bytes in a line such as `VmRSS:   1234 kB`.
fn line_bytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()?.saturating_mul(1024))
}

/// What may be in use: what the machine has left with what is ours already, and the limits of the container.
fn resident_limit() -> Option<u64> {
    let own = std::fs::read_to_string("/proc/self/status").ok().and_then(|text| line_bytes(&text, "VmRSS:"));
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| line_bytes(&text, "MemAvailable:"));
    let machine = free.map(|free| free + own.unwrap_or(0));
    machine.into_iter().chain(container_limit()).min()
}

/// The smallest limit of the control groups that this process is in.
fn container_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let unified = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    let mut folders: Vec<PathBuf> = vec![PathBuf::from("/sys/fs/cgroup")];
    for part in Path::new(unified).components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name),
        _ => None,
    }) {
        let deeper = folders[folders.len() - 1].join(part);
        folders.push(deeper);
    }
    let read = |path: PathBuf| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let new = folders.into_iter().filter_map(|folder| read(folder.join("memory.max")));
    // The older interface says "no limit" by a huge number, which is no limit here either.
    let old = read(PathBuf::from("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    new.chain(old).min()
}

/// What may be asked for, used or not.
fn address_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The last resort: memory that is refused to the language itself ends the process (`SIGABRT`), after a line on standard
/// error that says so. It then ends as at any other limit, with exit code 3.
pub(crate) fn refusal_is_a_limit() {
    #[cfg(unix)]
    {
        let always = Arc::new(AtomicBool::new(true));
        // Without it the process ends by the signal, as it would anyway.
        let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 3, always);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_the_system_writes_them() {
        assert_eq!(line_bytes("Name:\tken\nVmRSS:\t    2048 kB\n", "VmRSS:"), Some(2 << 20));
        assert_eq!(line_bytes("Name:\tken\n", "VmRSS:"), None);
    }

    #[test]
    fn without_a_word_of_the_user_diagrams_take_no_more_than_there_is() {
        let memory = |allowed| Memory { allowed, resident: Some(1 << 30), reserved: None };
        assert_eq!(memory(None).diagrams(8 << 30), 1 << 30);
        assert_eq!(memory(None).diagrams(1 << 20), 1 << 20);
        assert_eq!(memory(Some(100)).diagrams(8 << 30), 100 << 20);
    }
}
