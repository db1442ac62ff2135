import { memories as host } from "gg/internal/host";
import { optionalText, record, text, texts } from "gg/internal/check";

function memoryOf(call, memory) {
  const given = record(call, "memory", memory, ["name", "description", "body", "code", "onUse"]);
  return {
    name: text(call, "name", given.name),
    description: text(call, "description", given.description),
    body: text(call, "body", given.body),
    code: optionalText(call, "code", given.code),
    onUse: optionalText(call, "onUse", given.onUse),
  };
}

export function writeMemory(memory) {
  return host.writeMemory(memoryOf("memories.writeMemory", memory));
}

export function updateMemory(memory) {
  return host.updateMemory(memoryOf("memories.updateMemory", memory));
}

export function createMemory(memory) {
  return host.createMemory(memoryOf("memories.createMemory", memory));
}

export function readMemory(name) {
  return host.readMemory(text("memories.readMemory", "name", name));
}

export function editMemory(name, search, replacement) {
  const call = "memories.editMemory";
  return host.editMemory(text(call, "name", name), text(call, "search", search), text(call, "replacement", replacement));
}

export function searchMemories(keywords) {
  return host.searchMemories(texts("memories.searchMemories", "keywords", keywords));
}

export function deleteMemory(name) {
  return host.deleteMemory(text("memories.deleteMemory", "name", name));
}
