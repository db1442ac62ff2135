//! A run's folder.

use crate::clock::{Clock, chance};
use gg_common::arm::Arm;
use gg_common::job::RunId;
use gg_common::ledger::LOG_FILE;
use gg_common::model::ModelBinding;
use gg_common::summary::Summary;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A record could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{action} {} failed: {source}; {advice}", path.display())]
pub struct RecordError {
    action: &'static str,
    path: PathBuf,
    #[source]
    source: std::io::Error,
    advice: &'static str,
}

const MAKE: &str = "name a folder that you can write with --runs";
const WRITE: &str = "free some space or make the folder writable; the event log beside it is whole";

const NAME_MODEL: &str = "name who answers again with --replies or --model";

/// Who answers.
const MODEL_FILE: &str = "model.json";

/// A run's folder: `events.jsonl` is the ledger's, the rest is written here.
#[derive(Debug, Clone)]
pub struct RunFolder {
    run: RunId,
    path: PathBuf,
}

/// A name for a run: sortable by its start, and unlike any other's.
pub fn run_id(unix_ms: u64, chance: u64) -> RunId {
    let seconds = unix_ms / 1_000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    RunId(format!(
        "{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{:03}-{:08x}",
        unix_ms % 1_000,
        chance & 0xffff_ffff
    ))
}

/// The date of a day, counted from 1970-01-01 (Gregorian calendar).
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that the leap day is a year's last; 400 years are one era of 146,097 days.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

impl RunFolder {
    /// Makes the folder of a new run under `runs`.
    pub fn make(runs: &Path, clock: &dyn Clock) -> Result<RunFolder, RecordError> {
        let error = |path: &Path| {
            let path = path.to_owned();
            move |source| RecordError { action: "making the run folder", path, source, advice: MAKE }
        };
        std::fs::create_dir_all(runs).map_err(error(runs))?;
        let run = run_id(clock.unix_ms(), chance());
        let path = runs.join(&run.0);
        std::fs::create_dir(&path).map_err(error(&path))?;
        let programs = path.join("programs");
        std::fs::create_dir(&programs).map_err(error(&programs))?;
        Ok(RunFolder { run, path })
    }

    /// The folder of a run that there is.
    pub fn open(runs: &Path, name: &str) -> Option<RunFolder> {
        let path = runs.join(name);
        path.join(LOG_FILE).is_file().then(|| RunFolder { run: RunId(name.to_owned()), path })
    }

    /// A part of the folder that is a link, if one is: it would lead what is written elsewhere.
    pub fn link(&self) -> Option<PathBuf> {
        let parts = [LOG_FILE, "programs", "tree", MODEL_FILE, "summary.json"].map(|name| self.path.join(name));
        parts.into_iter().find(|part| part.symlink_metadata().is_ok_and(|found| found.is_symlink()))
    }

    /// How a command names the folder of runs, where it is not the default: ` --runs DIR`.
    pub fn runs_flag(&self) -> String {
        match self.path.parent() {
            Some(runs) if runs != Path::new("runs") => format!(" --runs {}", runs.display()),
            _ => String::new(),
        }
    }

    /// Keeps who answers, for a resume.
    pub fn write_model(&self, source: &ModelBinding) -> Result<(), RecordError> {
        let text = serde_json::to_vec_pretty(source).unwrap_or_default();
        self.write(".", MODEL_FILE, &text)
    }

    /// Who answers.
    pub fn model(&self) -> Result<ModelBinding, RecordError> {
        let path = self.path.join(MODEL_FILE);
        std::fs::read(&path)
            .and_then(|text| serde_json::from_slice(&text).map_err(std::io::Error::from))
            .map_err(|source| RecordError { action: "reading", path, source, advice: NAME_MODEL })
    }

    /// The program of a turn as it ran, if one did.
    pub fn program(&self, turn: u32) -> Option<Vec<u8>> {
        let beginning = format!("{turn:04}.");
        let entries = std::fs::read_dir(self.path.join("programs")).ok()?.flatten();
        let is_it = |name: &str| name.starts_with(&beginning) && !name.ends_with(".rejected");
        let path = entries
            .map(|entry| entry.path())
            .find(|path| path.file_name().is_some_and(|name| is_it(&name.to_string_lossy())))?;
        std::fs::read(path).ok()
    }

    /// The reply of a turn that was rejected before it ran, if it was.
    pub fn rejected(&self, turn: u32) -> Option<Vec<u8>> {
        std::fs::read(self.path.join("programs").join(format!("{turn:04}.rejected"))).ok()
    }

    /// The run.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the final tree goes.
    pub fn tree(&self) -> PathBuf {
        self.path.join("tree")
    }

    /// Keeps a turn's program, byte for byte as it runs.
    pub fn write_program(&self, turn: u32, arm: Arm, bytes: &[u8]) -> Result<(), RecordError> {
        self.write("programs", &format!("{turn:04}.{}", extension(arm)), bytes)
    }

    /// Keeps a reply that was rejected before it ran, byte for byte as the model gave it.
    pub fn write_rejected(&self, turn: u32, bytes: &[u8]) -> Result<(), RecordError> {
        self.write("programs", &format!("{turn:04}.rejected"), bytes)
    }

    /// Writes the summary, whole or not at all.
    pub fn write_summary(&self, summary: &Summary) -> Result<(), RecordError> {
        let mut text = serde_json::to_vec_pretty(summary).map_err(|source| RecordError {
            action: "writing",
            path: self.path.join("summary.json"),
            source: source.into(),
            advice: WRITE,
        })?;
        text.push(b'\n');
        self.write(".", "summary.json", &text)
    }

    /// Removes a folder in which no run began.
    pub fn discard(self) {
        // What cannot be removed is an empty folder, which harms nobody.
        let _ = std::fs::remove_file(self.path.join(MODEL_FILE));
        let _ = std::fs::remove_dir(self.path.join("programs"));
        let _ = std::fs::remove_dir(&self.path);
    }

    fn write(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let path = self.path.join(folder).join(name);
        let draft = self.path.join(folder).join(format!(".{name}.draft"));
        let written = std::fs::File::create(&draft)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| std::fs::rename(&draft, &path));
        written.map_err(|source| {
            // Half a file says nothing, and on a full disk it takes the room that is wanted.
            let _ = std::fs::remove_file(&draft);
            RecordError { action: "writing", path, source, advice: WRITE }
        })
    }
}

/// The extension of a program's file.
fn extension(arm: Arm) -> &'static str {
    arm.program_name().rsplit('.').next().unwrap_or("txt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;

    #[test]
    fn ids_sort_by_their_start_and_say_when_that_was() {
        assert_eq!(run_id(1_785_334_953_042, 0xabc).0, "20260729T142233.042-00000abc");
        assert_eq!(run_id(951_782_400_000, 1).0, "20000229T000000.000-00000001");
        assert_eq!(run_id(0, u64::MAX).0, "19700101T000000.000-ffffffff");
        assert!(run_id(1_000, 9) < run_id(2_000, 1));
    }

    #[test]
    fn programs_are_kept_byte_for_byte_and_a_folder_without_a_run_is_discarded() {
        let runs = tempfile::tempdir().expect("tempdir");
        let folder = RunFolder::make(&runs.path().join("deep/runs"), &SystemClock::default()).expect("folder");
        folder.write_program(7, Arm::Javascript, b"a\r\n\0").expect("program");
        folder.write_rejected(8, b"\xff").expect("rejected");
        assert_eq!(std::fs::read(folder.path().join("programs/0007.js")).expect("read"), b"a\r\n\0");
        assert_eq!(std::fs::read(folder.path().join("programs/0008.rejected")).expect("read"), b"\xff");
        let other = RunFolder::make(runs.path(), &SystemClock::default()).expect("folder");
        let path = other.path().to_owned();
        other.discard();
        assert!(!path.exists());
    }

    #[test]
    fn a_runs_folder_that_cannot_be_made_names_the_flag() {
        let runs = tempfile::tempdir().expect("tempdir");
        let file = runs.path().join("file");
        std::fs::write(&file, b"").expect("write");
        let error = RunFolder::make(&file.join("runs"), &SystemClock::default()).expect_err("no folder").to_string();
        assert!(error.contains("file/runs") && error.contains("--runs"), "{error}");
    }
}
