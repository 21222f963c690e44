//! Both kinds of folders do the same.

use super::DiskFolder;
use crate::library::folder::{Entry, Folder, Refusal};
use crate::library::virtual_folder::VirtualFolder;

/// The folder `data` with a file, and a file beside it.
fn folders() -> (tempfile::TempDir, [Box<dyn Folder>; 2]) {
    let disk = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(disk.path().join("data")).expect("a folder");
    std::fs::write(disk.path().join("data/in.txt"), b"one").expect("a file");
    std::fs::write(disk.path().join("b.txt"), b"two").expect("a file");
    let files = [("data/in.txt", b"one"), ("./b.txt", b"two")];
    let files = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec()));
    let inner = VirtualFolder::new(files).expect("a folder");
    let real = DiskFolder::new(disk.path().to_owned(), Box::new(|_| false));
    (disk, [Box::new(real), Box::new(inner)])
}

#[test]
fn both_kinds_of_folders_refuse_the_same_paths() {
    let (_disk, folders) = folders();
    for mut folder in folders {
        for (path, expected) in [
            ("b.txt", Ok(b"two".to_vec())),
            ("./data/../b.txt", Ok(b"two".to_vec())),
            ("data//in.txt", Ok(b"one".to_vec())),
            ("none.txt", Err(Refusal::Missing)),
            ("none/in.txt", Err(Refusal::Missing)),
            ("none/../b.txt", Err(Refusal::Missing)),
            ("b.txt/../b.txt", Err(Refusal::NotFolder)),
            ("b.txt/.", Err(Refusal::NotFolder)),
            ("b.txt/", Err(Refusal::NotFolder)),
            ("b.txt/x", Err(Refusal::NotFolder)),
            ("none.txt/", Err(Refusal::Missing)),
            ("", Err(Refusal::Missing)),
            (".", Err(Refusal::IsFolder)),
            ("data", Err(Refusal::IsFolder)),
            ("data/", Err(Refusal::IsFolder)),
            ("data/.", Err(Refusal::IsFolder)),
            ("data/..", Err(Refusal::IsFolder)),
            ("..", Err(Refusal::Path)),
            ("../b.txt", Err(Refusal::Path)),
            ("data/../../b.txt", Err(Refusal::Path)),
            ("/etc/passwd", Err(Refusal::Path)),
        ] {
            assert_eq!(folder.read(path), expected, "{path}");
            if let Err(why) = expected
                && path != "none.txt"
            {
                assert_eq!(folder.write(path, b"x"), Err(why), "{path}");
                assert_eq!(folder.remove(path), Err(why), "{path}");
                assert_eq!(folder.rename("b.txt", path), Err(why), "{path}");
            }
        }
        assert_eq!(folder.write("data/new.txt", b"three"), Ok(()));
        assert_eq!(folder.read("data/new.txt"), Ok(b"three".to_vec()));
        assert_eq!(folder.rename("data/new.txt", "b.txt"), Ok(()));
        assert_eq!(folder.read("data/new.txt"), Err(Refusal::Missing));
        assert_eq!(folder.read("b.txt"), Ok(b"three".to_vec()));
        assert_eq!((folder.remove("b.txt"), folder.remove("b.txt")), (Ok(()), Err(Refusal::Missing)));
    }
}

#[test]
fn both_kinds_of_folders_make_list_and_remove_the_same_folders() {
    let (_disk, folders) = folders();
    for mut folder in folders {
        let names = |folder: &dyn Folder, path| folder.list(path).map(|list| list.join(" "));
        assert_eq!(names(&*folder, "."), Ok("b.txt data".to_owned()));
        for path in ["data", "b.txt", ".", "data/.."] {
            assert_eq!(folder.make_folder(path), Err(Refusal::Exists), "{path}");
        }
        assert_eq!(folder.make_folder("../out"), Err(Refusal::Path));
        assert_eq!(folder.make_folder("none/out"), Err(Refusal::Missing));
        assert_eq!(folder.make_folder("data/out/"), Ok(()));
        assert_eq!(
            (names(&*folder, "data"), names(&*folder, "data/out")),
            (Ok("in.txt out".to_owned()), Ok(String::new()))
        );
        assert_eq!(folder.look("data/out"), Ok(Entry::Folder));
        assert_eq!(folder.look("data/in.txt"), Ok(Entry::File(3)));
        assert_eq!(folder.look("data/none"), Err(Refusal::Missing));
        assert_eq!(folder.write("data/out/a", b"x"), Ok(()));
        assert_eq!(folder.remove_folder("data/out"), Err(Refusal::NotEmpty));
        assert_eq!(folder.remove_folder("b.txt"), Err(Refusal::NotFolder));
        assert_eq!(folder.remove("data/out/a"), Ok(()));
        assert_eq!(folder.remove_folder("data/out"), Ok(()));
        assert_eq!(folder.look("data/out"), Err(Refusal::Missing));
        assert_eq!(names(&*folder, "data/.."), Ok("b.txt data".to_owned()));
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_a_folder() {
    let (disk, [mut folder, _]) = folders();
    std::os::unix::fs::symlink("/etc/passwd", disk.path().join("link")).expect("a link");
    assert_eq!(folder.read("link"), Err(Refusal::Path));
    assert_eq!(folder.write("link", b""), Err(Refusal::Path));
    let outside = tempfile::tempdir().expect("a temporary folder");
    let file = outside.path().join("made");
    std::os::unix::fs::symlink(&file, disk.path().join("dangling")).expect("a link");
    assert_eq!(folder.write("dangling", b""), Err(Refusal::Path));
    assert!(!file.exists());
}

#[test]
fn files_in_use_and_files_beyond_the_limits_are_not_written() {
    let disk = tempfile::tempdir().expect("a temporary folder");
    let root = disk.path().to_owned();
    let mut folder = DiskFolder::new(root.clone(), Box::new(|path| path.ends_with("used")));
    std::fs::write(root.join("used"), "kept").expect("a file");
    assert_eq!(folder.write("used", b"x"), Err(Refusal::InUse));
    assert_eq!(folder.remove("used"), Err(Refusal::InUse));
    assert_eq!(folder.rename("used", "a"), Err(Refusal::InUse));
    assert_eq!(folder.read("used"), Ok(b"kept".to_vec()));
    folder.note(root.join("large"), Some(DiskFolder::LARGEST - 2));
    assert_eq!(folder.write("a", b"xx"), Ok(()));
    assert_eq!(folder.write("./a", b"yy"), Ok(()), "it is the same file");
    assert_eq!(folder.write("b", b"x"), Err(Refusal::Full(DiskFolder::LARGEST)));
    assert_eq!(folder.write("a", b""), Ok(()));
    assert_eq!(folder.write("b", b"x"), Ok(()));
    let others = (folder.written.len()..DiskFolder::MOST).map(|at| (root.join(at.to_string()), 0));
    folder.written.extend(others);
    assert_eq!(folder.write("c", b""), Err(Refusal::Many(DiskFolder::MOST)));
    assert_eq!(folder.write("b", b""), Ok(()));
    assert!(!root.join("c").exists());
}

#[test]
fn an_unchanged_folder_keeps_its_changes_in_memory() {
    let disk = tempfile::tempdir().expect("a temporary folder");
    let root = disk.path().to_owned();
    std::fs::write(root.join("a"), "kept").expect("a file");
    let mut folder = DiskFolder::new(root.clone(), Box::new(|_| false)).unchanged();
    assert_eq!(folder.write("a", b"new"), Ok(()));
    assert_eq!(folder.read("./a"), Ok(b"new".to_vec()));
    assert_eq!(folder.rename("a", "b"), Ok(()));
    assert_eq!((folder.read("a"), folder.read("b")), (Err(Refusal::Missing), Ok(b"new".to_vec())));
    assert_eq!(folder.remove("b"), Ok(()));
    assert_eq!(folder.remove("b"), Err(Refusal::Missing));
    assert_eq!(folder.write("c", b""), Ok(()));
    let names = std::fs::read_dir(&root).expect("it exists").count();
    let text = std::fs::read_to_string(root.join("a")).expect("a text");
    assert_eq!((names, text.as_str()), (1, "kept"));
}

#[test]
fn a_virtual_folder_has_a_limit_and_lists_what_a_program_wrote() {
    let (largest, half) = (VirtualFolder::LARGEST, VirtualFolder::LARGEST / 2);
    let folder = VirtualFolder::new([("in".to_owned(), vec![0; half])]).expect("it fits");
    let mut program = folder.clone();
    assert_eq!(program.write("out", &vec![1; half + 1]), Err(Refusal::Full(largest)));
    assert_eq!(folder.written(), []);
    assert_eq!(program.write("out", &vec![1; half]), Ok(()));
    assert_eq!(program.write("out", b"x"), Ok(()));
    assert_eq!(folder.written(), [("out".to_owned(), b"x".to_vec())]);
    let most = (0..half).find(|at| program.write(&format!("small{at}"), b"").is_err());
    assert_eq!(most, Some(half / 1024 - 1), "empty files have a limit, too");
    let large = VirtualFolder::new([("in".to_owned(), vec![0; largest + 1])]);
    assert_eq!(large.err(), Some(("in".to_owned(), Refusal::Full(largest))));
    let outside = VirtualFolder::new([("../in".to_owned(), vec![0])]);
    assert_eq!(outside.err(), Some(("../in".to_owned(), Refusal::Path)));
}
