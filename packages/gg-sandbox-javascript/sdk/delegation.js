import { delegation as host } from "gg/internal/host";
import { optionalText, optionalTexts, record, text } from "gg/internal/check";

export function spawnSubagent(agent, work) {
  const call = "delegation.spawnSubagent";
  const { prompt, issue } = record(call, "work", work, ["prompt", "issue"]);
  if ((prompt === undefined) === (issue === undefined)) {
    throw new TypeError(`${call}: work must have either prompt or issue`);
  }
  return host.spawnSubagent(
    text(call, "agent", agent),
    issue === undefined ? { prompt: text(call, "prompt", prompt) } : { issue: text(call, "issue", issue) },
  );
}

export function waitForSubagents(ids) {
  return host.waitForSubagents(optionalTexts("delegation.waitForSubagents", "ids", ids));
}

export function sendMessage(agentId, message) {
  const call = "delegation.sendMessage";
  host.sendMessage(text(call, "agentId", agentId), text(call, "message", message));
}

export function transitionState(state, note) {
  const call = "delegation.transitionState";
  host.transitionState(text(call, "state", state), optionalText(call, "note", note));
}

export function exec(agent, prompt) {
  const call = "delegation.exec";
  host.exec(text(call, "agent", agent), optionalText(call, "prompt", prompt));
}

export function fork(prompt) {
  return host.fork(text("delegation.fork", "prompt", prompt));
}
