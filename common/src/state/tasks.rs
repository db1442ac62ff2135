//! The agent's own list of tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Being worked on.
    InProgress,
    /// Finished.
    Done,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Task {
    /// Its name, of the agent's choosing.
    pub id: String,
    /// What is to be done, in a line.
    pub title: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How far it is.
    #[serde(default)]
    pub status: TaskStatus,
    /// The tasks that must be done first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<String>,
}

/// The tasks, in the order in which they were added.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Tasks(Vec<Task>);

impl Tasks {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Task> {
        self.0.iter()
    }

    /// The task of this id.
    pub fn get(&self, id: &str) -> Option<&Task> {
        self.0.iter().find(|task| task.id == id)
    }

    /// Puts a task in the place of that of its id, or at the end.
    pub(super) fn put(&mut self, task: Task) {
        match self.0.iter_mut().find(|there| there.id == task.id) {
            Some(there) => *there = task,
            None => self.0.push(task),
        }
    }

    /// Removes a task; what waited for it waits no longer.
    pub(super) fn remove(&mut self, id: &str) {
        self.0.retain(|task| task.id != id);
        for task in &mut self.0 {
            task.blocked_by.retain(|blocker| blocker != id);
        }
    }

    /// The tasks that would wait for each other if `id` waited for `blocked_by`: from `id` on, and back to it.
    pub fn cycle(&self, id: &str, blocked_by: &[String]) -> Option<Vec<String>> {
        let mut path = vec![id.to_owned()];
        let mut seen = BTreeSet::new();
        self.leads_back(id, blocked_by, &mut path, &mut seen).then_some(path)
    }

    fn leads_back(&self, id: &str, blockers: &[String], path: &mut Vec<String>, seen: &mut BTreeSet<String>) -> bool {
        for blocker in blockers {
            if !seen.insert(blocker.clone()) {
                continue;
            }
            path.push(blocker.clone());
            let further = self.get(blocker).map(|task| task.blocked_by.as_slice()).unwrap_or_default();
            if blocker == id || self.leads_back(id, further, path, seen) {
                return true;
            }
            path.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, blocked_by: &[&str]) -> Task {
        let blocked_by = blocked_by.iter().map(|id| (*id).to_owned()).collect();
        Task { id: id.into(), title: id.to_uppercase(), description: None, status: TaskStatus::Pending, blocked_by }
    }

    #[test]
    fn a_task_keeps_its_place_and_a_removed_one_blocks_nobody() {
        let mut tasks = Tasks::default();
        for one in [task("a", &[]), task("b", &["a"]), task("c", &["a", "b"])] {
            tasks.put(one);
        }
        tasks.put(Task { status: TaskStatus::Done, ..task("a", &[]) });
        assert_eq!(tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        tasks.remove("a");
        assert_eq!(tasks.get("c").expect("c").blocked_by, ["b"]);
        assert_eq!(tasks.len(), 2);
    }

    #[test]
    fn a_cycle_is_found_and_named_from_end_to_end() {
        let mut tasks = Tasks::default();
        for one in [task("a", &[]), task("b", &["a"]), task("c", &["b"]), task("d", &["a", "b", "c"])] {
            tasks.put(one);
        }
        let cycle = |id: &str, by: &[&str]| {
            tasks.cycle(id, &by.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()).map(|path| path.join(" "))
        };
        assert_eq!(cycle("a", &["c"]).as_deref(), Some("a c b a"));
        assert_eq!(cycle("a", &["a"]).as_deref(), Some("a a"));
        assert_eq!(cycle("d", &["a", "b", "c"]), None);
        assert_eq!(cycle("new", &["d"]), None);
    }
}
