import { tasks as host } from "gg/internal/host";
import { optionalChoice, optionalText, optionalTexts, record, text, textEdit, texts } from "gg/internal/check";

const STATUSES = ["pending", "in-progress", "done"];

export function addTask(task) {
  const call = "tasks.addTask";
  const given = record(call, "task", task, ["id", "title", "description", "blockedBy"]);
  return host.addTask({
    id: text(call, "id", given.id),
    title: text(call, "title", given.title),
    description: optionalText(call, "description", given.description),
    blockedBy: optionalTexts(call, "blockedBy", given.blockedBy),
  });
}

export function updateTask(id, patch) {
  const call = "tasks.updateTask";
  const given = record(call, "patch", patch, ["title", "description", "status"]);
  host.updateTask(text(call, "id", id), {
    title: optionalText(call, "title", given.title),
    description: textEdit(call, "description", given.description),
    status: optionalChoice(call, "status", given.status, STATUSES),
  });
}

export function setBlockedBy(id, blockedBy) {
  const call = "tasks.setBlockedBy";
  host.setBlockedBy(text(call, "id", id), texts(call, "blockedBy", blockedBy));
}

export function completeTask(id) {
  host.completeTask(text("tasks.completeTask", "id", id));
}

export function removeTask(id) {
  return host.removeTask(text("tasks.removeTask", "id", id));
}
