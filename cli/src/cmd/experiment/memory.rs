//! Available memory: of the host, and of the control groups of this process, whose limits batch
//! systems and containers set.
//!
//! A limit of any group on the path to the root applies. Files that the kernel has cached for a
//! group count as used, so inactive ones are subtracted: the kernel frees them first.

use std::fs;
use std::path::{Path, PathBuf};

/// Memory is short while less than one part in this many is available.
const FREE_PART: u64 = 8;

/// Memory of a host or a control group, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Memory {
    total: u64,
    available: u64,
}

/// Files of a version of control groups.
struct Version {
    /// Mount points below the root of the file system; the first one that exists is used.
    mounts: &'static [&'static str],
    limit: &'static str,
    used: &'static str,
    /// Line of `memory.stat` with the bytes of inactive cached files.
    inactive: &'static str,
}

const V1: Version = Version {
    mounts: &["sys/fs/cgroup/memory"],
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    inactive: "total_inactive_file ",
};

const V2: Version = Version {
    mounts: &["sys/fs/cgroup/unified", "sys/fs/cgroup"],
    limit: "memory.max",
    used: "memory.current",
    inactive: "inactive_file ",
};

/// Whether little memory is available to this process; `false` where the host does not report it.
pub fn is_short() -> bool {
    all(Path::new("/")).iter().any(|memory| memory.available < memory.total / FREE_PART)
}

/// Returns the memory of the host and of each control group with a limit, from the files below
/// `root`.
fn all(root: &Path) -> Vec<Memory> {
    let host = host(root);
    let mut all: Vec<Memory> = host.into_iter().collect();
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    for line in text.lines() {
        // The number of the hierarchy, its controllers, and the path of the group.
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        if controllers.is_empty() {
            groups(root, &V2, path, &mut all);
        } else if controllers.split(',').any(|controller| controller == "memory") {
            groups(root, &V1, path, &mut all);
        }
    }
    // A group without a limit reports a number beyond all memory.
    all.retain(|memory| host.is_none_or(|host| memory.total <= host.total));
    all
}

fn host(root: &Path) -> Option<Memory> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(Memory { total: bytes("MemTotal:")?, available: bytes("MemAvailable:")? })
}

/// Adds the group `path` and its parents. In a container the mount shows only a part of the
/// hierarchy, so a folder may be missing; its parents are read all the same.
fn groups(root: &Path, version: &Version, path: &str, all: &mut Vec<Memory>) {
    let mounts = version.mounts.iter().map(|mount| root.join(mount));
    let Some(mount) = mounts.into_iter().find(|mount| mount.is_dir()) else { return };
    let mut folder: PathBuf = mount.join(path.trim_start_matches('/'));
    while folder.starts_with(&mount) {
        all.extend(group(&folder, version));
        if !folder.pop() {
            break;
        }
    }
}

/// Returns the memory of a group; `None` if it has no limit.
fn group(folder: &Path, version: &Version) -> Option<Memory> {
    let text = |file: &str| fs::read_to_string(folder.join(file)).ok();
    let number = |file: &str| text(file)?.trim().parse::<u64>().ok();
    let total = number(version.limit)?;
    let used = number(version.used)?;
    let stat = text("memory.stat").unwrap_or_default();
    let inactive = stat.lines().find_map(|line| line.strip_prefix(version.inactive));
    let inactive = inactive.and_then(|bytes| bytes.trim().parse::<u64>().ok()).unwrap_or(0);
    let available = total.saturating_sub(used.saturating_sub(inactive));
    Some(Memory { total, available })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A file system with these files.
    fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        }
        root
    }

    const HOST: (&str, &str) = ("proc/meminfo", "MemTotal:  1048576 kB\nMemAvailable:  524288 kB\n");

    #[test]
    fn a_host_without_groups_has_its_own_memory() {
        let root = files(&[HOST]);
        assert_eq!(all(root.path()), [Memory { total: 1024 * MIB, available: 512 * MIB }]);
        assert_eq!(all(files(&[]).path()), []);
    }

    #[test]
    fn every_group_of_version_2_up_to_the_root_limits() {
        let root = files(&[
            HOST,
            ("proc/self/cgroup", "0::/slurm/job/step\n"),
            ("sys/fs/cgroup/slurm/job/step/memory.max", "max\n"),
            ("sys/fs/cgroup/slurm/job/step/memory.current", "1\n"),
            ("sys/fs/cgroup/slurm/job/memory.max", "104857600\n"),
            ("sys/fs/cgroup/slurm/job/memory.current", "99614720\n"),
            ("sys/fs/cgroup/slurm/job/memory.stat", "anon 5\ninactive_file 4194304\nactive_file 7\n"),
        ]);
        let group = Memory { total: 100 * MIB, available: 9 * MIB };
        assert_eq!(all(root.path())[1..], [group]);
    }

    #[test]
    fn a_group_of_version_1_is_found_at_the_mount_of_a_container() {
        let root = files(&[
            HOST,
            ("proc/self/cgroup", "9:cpu,cpuacct:/a\n4:memory:/docker/0123\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600\n"),
            ("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 0\n"),
        ]);
        assert_eq!(all(root.path())[1..], [Memory { total: 200 * MIB, available: 100 * MIB }]);
    }

    #[test]
    fn a_group_without_a_limit_does_not_count() {
        let root = files(&[
            HOST,
            ("proc/self/cgroup", "4:memory:/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600\n"),
        ]);
        assert_eq!(all(root.path()).len(), 1);
    }
}
