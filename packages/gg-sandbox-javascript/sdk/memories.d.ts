/**
 * What an agent keeps across turns.
 *
 * @module memories
 */

/** A memory to keep. */
export interface Memory {
  /** The memory's name. */
  name: string;
  /** What the memory is good for, on one line: the agent's list of memories shows it. */
  description: string;
  /** The memory's text. */
  body: string;
  /** The source of a code module in the agent's own language, loaded when the memory is read. */
  code?: string;
  /** A script in the agent's own language that runs after each program which used the memory. */
  onUse?: string;
}

/** How much is kept, and how much may be. A limit that is absent does not exist. */
export interface MemoryUsage {
  /** How many memories there are now. */
  count: number;
  /** How many there may be. */
  max?: number;
  /** How many characters they have together. */
  chars: number;
  /** How many characters they may have together. */
  maxChars?: number;
  /** How many characters the list of memories takes. */
  indexChars?: number;
  /** How many characters the list may take. */
  maxIndexChars?: number;
}

/** A memory that a search found. */
export interface MemoryHit {
  /** The memory's name. */
  name: string;
  /** What the memory is good for. */
  description: string;
  /** Which of the keywords it has. */
  matched: string[];
  /** How often they occur in it. */
  occurrences: number;
  /** A piece of it around the first of them. */
  excerpt: string;
}

/**
 * Writes a new memory to the scratchpad.
 *
 * @operation memories.write_memory
 * @param memory - The memory to write.
 * @returns How much is kept now.
 * @throws ApiError `conflict` where the name is taken; `limit-exceeded` where it is too much.
 */
export function writeMemory(memory: Memory): MemoryUsage;

/**
 * Replaces a memory of the scratchpad by a new version of it.
 *
 * @operation memories.update_memory
 * @param memory - The memory under its name, with all that it is to hold.
 * @returns How much is kept now.
 * @throws ApiError `not-found` where there is no such memory; `limit-exceeded` where it is too much.
 */
export function updateMemory(memory: Memory): MemoryUsage;

/**
 * Creates a memory that is read on demand: only its name and description are always shown.
 *
 * @operation memories.create_memory
 * @param memory - The memory to create.
 * @returns How much is kept now.
 * @throws ApiError `conflict` where the name is taken; `limit-exceeded` where it is too much.
 */
export function createMemory(memory: Memory): MemoryUsage;

/**
 * Reads a memory, and loads its code if it has any.
 *
 * @operation memories.read_memory
 * @param name - The memory's name.
 * @returns The memory's text.
 * @throws ApiError `not-found` where there is no such memory.
 */
export function readMemory(name: string): string;

/**
 * Replaces the one occurrence of a text in a memory by another.
 *
 * @operation memories.edit_memory
 * @param name - The memory's name.
 * @param search - The text to replace, exactly as the memory has it. It must occur once.
 * @param replacement - The text to put in its place.
 * @returns How much is kept now.
 * @throws ApiError `not-found` where the memory or the text does not exist; `conflict` where the text occurs several times.
 */
export function editMemory(name: string, search: string, replacement: string): MemoryUsage;

/**
 * Finds memories by keywords, best first.
 *
 * @operation memories.search_memories
 * @param keywords - The words to look for; a memory that has more of them comes earlier.
 * @returns The memories that have any of them.
 * @throws ApiError `invalid-argument` where there is no keyword.
 */
export function searchMemories(keywords: string[]): MemoryHit[];

/**
 * Deletes a memory for good.
 *
 * @operation memories.delete_memory
 * @param name - The memory's name.
 * @returns How much is kept now.
 * @throws ApiError `not-found` where there is no such memory.
 */
export function deleteMemory(name: string): MemoryUsage;
