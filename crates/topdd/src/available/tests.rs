use super::*;

const MB: u64 = 1 << 20;

/// A system of the given files, each with its path and content.
fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    root
}

const MEMINFO: (&str, &str) = (
    "proc/meminfo",
    "MemTotal:       24576000 kB\nMemFree:          409600 kB\nMemAvailable:    4096000 kB\n",
);
const MOUNT_1: &str = "31 24 0:27 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n";
const MOUNT_2: &str =
    "29 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
/// What version 1 states without a limit.
const NONE_1: &str = "9223372036854771712\n";

#[test]
fn free_memory_is_that_of_the_machine_without_a_control_group() {
    assert_eq!(free_below(system(&[MEMINFO]).path(), 2), Some(4096000 << 10));
    // An old kernel, no file, and other text.
    assert_eq!(free_below(system(&[("proc/meminfo", "MemFree: 4 kB\n")]).path(), 2), None);
    assert_eq!(free_below(system(&[]).path(), 2), None);
    assert_eq!(free_below(system(&[("proc/meminfo", "MemAvailable: much\n")]).path(), 2), None);
}

#[test]
fn a_control_group_of_version_1_limits_and_so_do_its_parents() {
    let files = |own, parent| {
        system(&[
            MEMINFO,
            ("proc/self/cgroup", "12:cpuset:/\n4:hugetlb,memory:/batch/job 1\n0::/other\n"),
            ("proc/self/mountinfo", MOUNT_1),
            ("sys/fs/cgroup/memory/batch/job 1/memory.limit_in_bytes", own),
            ("sys/fs/cgroup/memory/batch/job 1/memory.usage_in_bytes", "209715200\n"),
            (
                "sys/fs/cgroup/memory/batch/job 1/memory.stat",
                "inactive_file 7\ntotal_inactive_file 104857600\ntotal_active_file 1\n",
            ),
            ("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", parent),
            ("sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "419430400\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", NONE_1),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n"),
        ])
    };
    // Its limit of 1000 MB, and 100 of the 200 MB in use are cached files.
    for (own, parent, free) in [
        ("1048576000\n", NONE_1, 900 * MB),
        ("1048576000\n", "629145600\n", 200 * MB),
        (NONE_1, "629145600\n", 200 * MB),
        (NONE_1, NONE_1, 4000 * MB),
        ("1048576\n", NONE_1, 0),
        ("?\n", NONE_1, 4000 * MB),
    ] {
        assert_eq!(free_below(files(own, parent).path(), 2), Some(free), "{own} {parent}");
    }
}

#[test]
fn a_control_group_of_version_2_limits_and_so_do_its_parents() {
    let files = |max, high, parent| {
        system(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/user.slice/run.scope\n"),
            ("proc/self/mountinfo", MOUNT_2),
            ("sys/fs/cgroup/user.slice/run.scope/memory.max", max),
            ("sys/fs/cgroup/user.slice/run.scope/memory.high", high),
            ("sys/fs/cgroup/user.slice/run.scope/memory.current", "209715200\n"),
            (
                "sys/fs/cgroup/user.slice/run.scope/memory.stat",
                "anon 1\nfile 2\ninactive_anon 3\ninactive_file 104857600\nactive_file 5\n",
            ),
            ("sys/fs/cgroup/user.slice/memory.max", parent),
            ("sys/fs/cgroup/user.slice/memory.current", "419430400\n"),
        ])
    };
    for (max, high, parent, free) in [
        ("1048576000\n", "max\n", "max\n", 900 * MB),
        ("1048576000\n", "524288000\n", "max\n", 400 * MB),
        ("max\n", "max\n", "629145600\n", 200 * MB),
        ("max\n", "max\n", "max\n", 4000 * MB),
        ("0\n", "max\n", "max\n", 0),
    ] {
        assert_eq!(
            free_below(files(max, high, parent).path(), 2),
            Some(free),
            "{max} {high} {parent}"
        );
    }
}

#[test]
fn the_group_is_found_in_containers_and_under_other_mount_points() {
    // The group, the mounts, the directory with a limit of 100 MB, and whether it is found.
    for (group, mounts, dir, is_found) in [
        // A container in its own namespace.
        ("0::/", MOUNT_2, "sys/fs/cgroup", true),
        // A process outside of the root of its namespace.
        ("0::/../../job", MOUNT_2, "sys/fs/cgroup", true),
        // The path is a path of the host, and its group is the mounted part.
        (
            "0::/docker/4d",
            "29 22 0:26 /docker/4d /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup",
            true,
        ),
        (
            "0::/docker/4d/inner",
            "29 22 0:26 /docker/4d /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup/inner",
            true,
        ),
        (
            "0::/kubepods/pod1",
            "29 22 0:26 /docker/4d /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup",
            true,
        ),
        // Both versions, and a blank in the mount point.
        (
            "5:cpu:/\n0::/a",
            "31 24 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
             32 24 0:28 / /mnt/all\\040groups rw - cgroup2 none rw\n",
            "mnt/all groups/a",
            true,
        ),
        // No mount, another file system, a broken line, another group.
        ("0::/", "", "sys/fs/cgroup", false),
        ("0::/", "22 1 0:5 / / rw - ext4 /dev/sda rw\n", "sys/fs/cgroup", false),
        ("0::/", "22 1\n - \n", "sys/fs/cgroup", false),
        ("0::/b", MOUNT_2, "sys/fs/cgroup/a", false),
        ("", MOUNT_2, "sys/fs/cgroup", false),
    ] {
        let (max, current) = (format!("{dir}/memory.max"), format!("{dir}/memory.current"));
        let root = system(&[
            MEMINFO,
            ("proc/self/cgroup", group),
            ("proc/self/mountinfo", mounts),
            (&max, "104857600\n"),
            (&current, "0\n"),
        ]);
        let free = if is_found { 100 * MB } else { 4000 * MB };
        assert_eq!(free_below(root.path(), 2), Some(free), "{group} {mounts}");
    }
}

#[test]
fn the_least_limit_of_a_hierarchy_of_version_1_counts() {
    // Only the group itself is mounted, and the limit is one of the groups above.
    for (hierarchy, free) in [("314572800", 200 * MB), (NONE_1.trim(), 4000 * MB)] {
        let stat =
            format!("cache 1\nhierarchical_memory_limit {hierarchy}\ntotal_inactive_file 0\n");
        let root = system(&[
            MEMINFO,
            ("proc/self/cgroup", "4:memory:/batch\n"),
            (
                "proc/self/mountinfo",
                "31 24 0:27 /batch /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
            ),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", NONE_1),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600\n"),
            ("sys/fs/cgroup/memory/memory.stat", &stat),
        ]);
        assert_eq!(free_below(root.path(), 2), Some(free), "{hierarchy}");
    }
}

#[test]
fn address_space_and_data_are_limited_by_ulimit() {
    let limits = |data: &str, space: &str| {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max cpu time              unlimited            unlimited            seconds   \n\
             Max data size             {data:<20} unlimited            bytes     \n\
             Max address space         {space:<20} unlimited            bytes     \n"
        )
    };
    for (data, space, threads, free, most) in [
        ("unlimited", "unlimited", 2, 4000 * MB, None),
        ("unlimited", "1048576000", 2, (1000 - 100 - 10 * 2) * MB, Some(2)),
        ("1048576000", "unlimited", 2, (1000 - 40 - 10 * 2) * MB, Some(2)),
        ("314572800", "1048576000", 2, (300 - 40 - 10 * 2) * MB, Some(2)),
        // Where there is little, stacks are at most half of it: here two for each of 47 threads, and six others.
        ("unlimited", "524288000", 128, 200 * MB, Some(47)),
        ("unlimited", "1000", 1, 0, Some(1)),
        ("1000", "unlimited", 1, 0, Some(1)),
    ] {
        let limits = limits(data, space);
        let status = "Name:\ttopdd\nVmSize:\t  102400 kB\nVmData:\t   40960 kB\n";
        let root = system(&[MEMINFO, ("proc/self/limits", &limits), ("proc/self/status", status)]);
        assert_eq!(free_below(root.path(), threads), Some(free), "{data} {space}");
        assert_eq!(threads_below(root.path(), threads, STACK), most, "{data} {space}");
    }
}

#[test]
fn a_limit_and_its_slack_fit_into_the_free_memory() {
    for free in [20 * MB, 40 * MB, 100 * MB, 135 * MB, 1 << 30, 1 << 34, 1 << 44] {
        let limit = limit_within(free) as u64;
        assert!(limit + limit / 4 + UNCOUNTED <= free, "{free}");
        assert!(limit <= free / 10 * 7 && limit >= MIN_BYTES);
    }
    assert_eq!(limit_within(0), MIN_BYTES as usize);
    assert_eq!(limit_within(1 << 34), ((1u64 << 34) / 10 * 7) as usize);
    assert!(available_memory() >= MIN_BYTES as usize);
    assert!((1..=*CORES).contains(&available_threads()));
}
