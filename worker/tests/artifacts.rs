//! Artifacts that are damaged or gone.

use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::objects::{Durability, Objects};
use gg_worker::artifacts::{ArtifactError, Artifacts};
use std::path::Path;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    for entry in std::fs::read_dir(from).expect("list").flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("kind").is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copy");
        }
    }
}

#[test]
fn damaged_artifacts_are_named_and_fetched_again() {
    let arm = Arm::Javascript;
    let root = CacheRoot::from_environment().expect("a cache root");
    let installed = Artifacts::new(&root.artifacts(), None);
    let set = installed.on_disk(arm).expect("artifacts").unwrap_or_else(|| {
        panic!("the {arm} artifacts are missing; run `worker artifacts build --arm {arm}`");
    });
    let folder = tempfile::tempdir().expect("tempdir");
    let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
    installed.push(&set, &objects).expect("pushed");
    let artifacts = Artifacts::new(&folder.path().join("artifacts"), Some(objects));
    let guest = artifacts.folder(arm).join("guest.wasm");
    for damage in [
        (|guest: &Path| std::fs::write(guest, b"\0asm").expect("damage")) as fn(&Path),
        |guest| std::fs::remove_file(guest).expect("removal"),
        |guest| std::fs::write(guest.with_file_name("manifest.json"), b"{").expect("damage"),
    ] {
        if artifacts.folder(arm).exists() {
            std::fs::remove_dir_all(artifacts.folder(arm)).expect("removal");
        }
        copy(set.folder(), &artifacts.folder(arm));
        damage(&guest);
        let error = artifacts.on_disk(arm).expect_err("damaged");
        assert!(matches!(error, ArtifactError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("run `worker artifacts build --arm javascript`"), "{error}");
        let mended = artifacts.find(arm).expect("fetched");
        assert_eq!(mended.files(), set.files());
        artifacts.on_disk(arm).expect("whole").expect("there");
    }
    std::fs::remove_dir_all(artifacts.folder(arm)).expect("removal");
    assert_eq!(artifacts.find(arm).expect("fetched").files(), set.files(), "one that is gone is fetched too");
}
