import { board as host } from "gg/internal/host";
import { optionalChoice, optionalText, optionalTexts, record, text, textEdit, texts } from "gg/internal/check";

const STATUSES = ["open", "in-progress", "in-review", "done", "cancelled"];

export function createEpic(epic) {
  const call = "board.createEpic";
  const { prefix, title, description } = record(call, "epic", epic, ["prefix", "title", "description"]);
  return host.createEpic({
    prefix: text(call, "prefix", prefix),
    title: text(call, "title", title),
    description: text(call, "description", description),
  });
}

export function createIssue(issue) {
  const call = "board.createIssue";
  const fields = ["title", "description", "inScope", "outOfScope", "completionCriteria", "blockedBy", "epicId", "agent", "reviewers"];
  const given = record(call, "issue", issue, fields);
  return host.createIssue({
    title: text(call, "title", given.title),
    description: optionalText(call, "description", given.description),
    inScope: optionalTexts(call, "inScope", given.inScope),
    outOfScope: optionalTexts(call, "outOfScope", given.outOfScope),
    completionCriteria: optionalTexts(call, "completionCriteria", given.completionCriteria),
    blockedBy: optionalTexts(call, "blockedBy", given.blockedBy),
    epicId: optionalText(call, "epicId", given.epicId),
    agent: text(call, "agent", given.agent),
    reviewers: optionalTexts(call, "reviewers", given.reviewers),
  });
}

export function updateIssue(id, patch) {
  const call = "board.updateIssue";
  const fields = ["title", "description", "inScope", "outOfScope", "completionCriteria", "status", "epic"];
  const given = record(call, "patch", patch, fields);
  host.updateIssue(text(call, "id", id), {
    title: optionalText(call, "title", given.title),
    description: textEdit(call, "description", given.description),
    inScope: optionalTexts(call, "inScope", given.inScope),
    outOfScope: optionalTexts(call, "outOfScope", given.outOfScope),
    completionCriteria: optionalTexts(call, "completionCriteria", given.completionCriteria),
    status: optionalChoice(call, "status", given.status, STATUSES),
    epic: textEdit(call, "epic", given.epic),
  });
}

export function setIssueBlockedBy(id, blockedBy) {
  const call = "board.setIssueBlockedBy";
  host.setIssueBlockedBy(text(call, "id", id), texts(call, "blockedBy", blockedBy));
}

export function removeEpic(id) {
  return host.removeEpic(text("board.removeEpic", "id", id));
}

export function removeIssue(id) {
  return host.removeIssue(text("board.removeIssue", "id", id));
}

export function waitForIssue(id) {
  return host.waitForIssue(text("board.waitForIssue", "id", id));
}
