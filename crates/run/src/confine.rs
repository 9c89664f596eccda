//! A process that gives up, for good and for root too, the right to open anything but what it names (Landlock).
//!
//! Landlock allows a folder with all that lies below and cannot take a part away again. So a folder that holds
//! something closed is never allowed as a whole: its other entries are, one by one.

use landlock::{
    ABI, Access, AccessFs, BitFlags, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, path_beneath_rules,
};
use std::fmt;
use std::path::{Path, PathBuf};

/// What a process may open afterwards. Paths that do not exist are passed over.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// Files, and folders with all below them: to read.
    pub read: Vec<PathBuf>,
    /// The same: to read, write, make and remove.
    pub write: Vec<PathBuf>,
    /// Nothing that is one of these, or lies below one, is opened, whatever the other lists say.
    pub closed: Vec<PathBuf>,
}

/// What keeps a process from other files than its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confinement {
    /// The kernel, by Landlock of this ABI.
    Landlock { abi: i32 },
    /// Nothing but the system's own permissions.
    None { why: String },
}

impl Confinement {
    pub fn is_confined(&self) -> bool {
        matches!(self, Confinement::Landlock { .. })
    }
}

/// For logs and status: `landlock (ABI 7)`, `none (WHY)`.
impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Confinement::Landlock { abi } => write!(f, "landlock (ABI {abi})"),
            Confinement::None { why } => write!(f, "none ({why})"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    #[error(
        "{path} is needed, but lies in {closed}, which is closed to this process; name another place"
    )]
    Closed { path: PathBuf, closed: PathBuf },
    #[error("this process cannot confine itself: {0}")]
    Refused(#[from] RulesetError),
}

/// Rights that every Landlock of the last years knows; an older one enforces those it knows.
const RIGHTS: ABI = ABI::V5;

/// Confines the calling thread and every thread and process it starts from now on. To be called while it is the
/// process's only thread: others would stay free, and the answer says so.
pub fn confine(openings: &Openings) -> Result<Confinement, ConfineError> {
    let n_threads = std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    let closed: Vec<PathBuf> = openings.closed.iter().filter_map(|path| place_of(path)).collect();
    let read = expand(&openings.read, &closed)?;
    let write = expand(&openings.write, &closed)?;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(RIGHTS))?
        .create()?
        .add_rules(path_beneath_rules(read, AccessFs::from_read(RIGHTS)))?
        .add_rules(path_beneath_rules(write, AccessFs::from_all(RIGHTS)))?
        .restrict_self()?;
    let confinement = of_status(&status.ruleset, &status.landlock);
    match n_threads {
        1 => Ok(confinement),
        n => Ok(Confinement::None { why: format!("{n} threads ran before it could be set up") }),
    }
}

/// What [`confine`] would give here. Found out on a thread of its own, which it confines.
pub fn available() -> Confinement {
    let probe = || -> Result<Confinement, RulesetError> {
        let rights: BitFlags<AccessFs> = AccessFs::from_all(RIGHTS);
        let status = Ruleset::default().handle_access(rights)?.create()?.restrict_self()?;
        Ok(of_status(&status.ruleset, &status.landlock))
    };
    let none = |why: String| Confinement::None { why };
    match std::thread::spawn(probe).join() {
        Ok(Ok(confinement)) => confinement,
        Ok(Err(error)) => none(error.to_string()),
        Err(_) => none("the probe failed".to_owned()),
    }
}

fn of_status(ruleset: &RulesetStatus, landlock: &LandlockStatus) -> Confinement {
    let none = |why: &str| Confinement::None { why: why.to_owned() };
    match (landlock, ruleset) {
        (LandlockStatus::NotImplemented, _) => none("this kernel has no Landlock"),
        (LandlockStatus::NotEnabled, _) => none("Landlock is not enabled in this kernel"),
        (_, RulesetStatus::NotEnforced) => none("the kernel did not enforce it"),
        (LandlockStatus::Available { effective_abi, kernel_abi }, _) => {
            Confinement::Landlock { abi: kernel_abi.unwrap_or(*effective_abi as i32) }
        }
    }
}

/// Where a closed path lies, or would lie if it came to be.
fn place_of(path: &Path) -> Option<PathBuf> {
    let there = std::fs::canonicalize(path).ok();
    there.or_else(|| Some(place_of(path.parent()?)?.join(path.file_name()?)))
}

/// The paths to allow: as given, or, where something closed lies below, the entries beside it.
fn expand(paths: &[PathBuf], closed: &[PathBuf]) -> Result<Vec<PathBuf>, ConfineError> {
    let mut allowed = Vec::new();
    for path in paths {
        let Ok(place) = std::fs::canonicalize(path) else { continue };
        if let Some(closed) = closed.iter().find(|closed| place.starts_with(closed)) {
            return Err(ConfineError::Closed { path: path.clone(), closed: closed.clone() });
        }
        open_beside(place, closed, &mut allowed);
    }
    Ok(allowed)
}

fn open_beside(place: PathBuf, closed: &[PathBuf], allowed: &mut Vec<PathBuf>) {
    if !closed.iter().any(|closed| closed.starts_with(&place)) {
        allowed.push(place);
        return;
    }
    let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
    for entry in entries {
        // A link's target is opened where it lies, if at all.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !is_link && !closed.contains(&entry.path()) {
            open_beside(entry.path(), closed, allowed);
        }
    }
}

/// What any program needs of the system: its libraries, the processor's description, name resolution, the devices
/// that are no disks.
pub fn system() -> Openings {
    let read = [
        "/usr",
        "/lib",
        "/lib64",
        "/bin",
        "/sbin",
        "/etc",
        "/opt",
        "/sys",
        "/nix/store",
        "/proc/self",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/filesystems",
        "/proc/sys",
        "/proc/devices",
        "/proc/modules",
        "/proc/version",
        "/proc/driver",
        "/run/systemd/resolve",
        "/run/resolvconf",
        "/run/nscd",
    ];
    let write = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/tty",
        "/dev/shm",
        "/dev/dri",
        "/dev/kfd",
    ];
    let mut read: Vec<PathBuf> = read.iter().map(PathBuf::from).collect();
    read.extend(library_folders());
    let mut write: Vec<PathBuf> = write.iter().map(PathBuf::from).collect();
    let devices = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    write.extend(
        devices
            .filter(|device| device.file_name().to_string_lossy().starts_with("nvidia"))
            .map(|device| device.path()),
    );
    Openings { read, write, closed: Vec::new() }
}

/// Folders of the files that are mapped now: libraries load others that lie beside them.
fn library_folders() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut folders: Vec<PathBuf> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])))
        .filter_map(Path::parent)
        .filter(|folder| folder.parent().is_some())
        .map(Path::to_owned)
        .collect();
    folders.sort();
    folders.dedup();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_around_something_closed_is_opened_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        let at = |path: &str| root.join(path);
        for path in ["lib", "runs/x/audit/shards", "runs/x/training", "runs/y"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        fs::write(at("runs/x/run.toml"), "").unwrap();
        std::os::unix::fs::symlink(at("runs/x/audit"), at("runs/link")).unwrap();
        // One that does not exist yet stays closed when it comes.
        let closed: Vec<_> = ["runs/x/audit", "runs/x/audit.key"].map(&at).into();
        let closed: Vec<_> = closed.iter().filter_map(|path| place_of(path)).collect();
        let mut allowed = expand(std::slice::from_ref(&root), &closed).unwrap();
        allowed.sort();
        assert_eq!(allowed, ["lib", "runs/x/run.toml", "runs/x/training", "runs/y"].map(at));
        assert_eq!(expand(&[at("lib")], &closed).unwrap(), [at("lib")]);
        assert_eq!(expand(&[at("nowhere")], &closed).unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn something_needed_that_is_closed_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let audit = dir.path().join("audit");
        fs::create_dir_all(audit.join("sub")).unwrap();
        std::os::unix::fs::symlink(audit.join("sub"), dir.path().join("training")).unwrap();
        let openings = Openings {
            read: vec![dir.path().join("training")],
            closed: vec![audit],
            ..Openings::default()
        };
        let error = confine(&openings).unwrap_err();
        assert!(matches!(error, ConfineError::Closed { .. }), "{error}");
    }

    #[test]
    fn a_confined_thread_opens_what_it_named_alone() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["read", "write", "other"] {
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::write(dir.path().join(name).join("file"), "x").unwrap();
        }
        let at = |name: &str| dir.path().join(name);
        let openings =
            Openings { read: vec![at("read")], write: vec![at("write")], ..Openings::default() };
        if !available().is_confined() {
            return;
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let answer = confine(&openings).unwrap();
                assert!(!answer.is_confined(), "other threads of this process are free: {answer}");
                assert!(fs::read(at("read").join("file")).is_ok());
                assert!(fs::write(at("read").join("file"), "y").is_err());
                assert!(fs::write(at("write").join("new"), "y").is_ok());
                assert!(fs::read(at("other").join("file")).is_err());
                assert!(fs::read_dir(at("other")).is_err());
                assert!(fs::hard_link(at("other").join("file"), at("read").join("l")).is_err());
            });
        });
        assert!(fs::read(at("other").join("file")).is_ok(), "the control: this thread is free");
    }
}
