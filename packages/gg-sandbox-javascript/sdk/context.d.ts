/**
 * What the model's window holds.
 *
 * @module context
 */

/** A range of turns. */
export interface TurnRange {
  /** The number of the first turn. */
  first: number;
  /** The number of the last turn, which belongs to the range. */
  last: number;
}

/** What was taken out of the window. */
export interface Reclaimed {
  /** How many items. */
  items: number;
  /** How many tokens they took, estimated. */
  reclaimedTokens: number;
  /** The paths of the files among them. */
  paths: string[];
  /** What happened, in a sentence. */
  detail: string;
}

/** A piece of the archive that a search found. */
export interface ArchiveHit {
  /** Its place in the thread. */
  seq: number;
  /** Whose it was: the model's or the user's. */
  role: string;
  /** Its text. */
  text: string;
}

/** What a search of the archive gives. */
export interface ArchivePage {
  /** Whether nothing was archived yet. */
  archiveEmpty: boolean;
  /** The pieces that match, at most 8. */
  hits: ArchiveHit[];
}

/**
 * Takes the views of a file, or of all files, out of the window.
 *
 * @operation context.evict_file_view
 * @param path - The file's path, relative to the tree. All files where left out.
 * @returns What was taken out.
 */
export function evictFileView(path?: string): Reclaimed;

/**
 * Moves turns of the thread to the archive, where `searchArchive` finds them.
 *
 * @operation context.archive_thread
 * @param ranges - The turns to move, with both ends of each range.
 * @returns What was taken out.
 * @throws ApiError `invalid-argument` where a range is empty or names turns that do not exist.
 */
export function archiveThread(ranges: TurnRange[]): Reclaimed;

/**
 * Searches what was archived of the thread.
 *
 * @operation context.search_archive
 * @param query - What to look for, in plain words.
 * @returns The pieces that match, best first.
 */
export function searchArchive(query: string): ArchivePage;

/**
 * Replaces the thread so far by a summary. It is applied when the turn closes; of several in one turn the last stands.
 *
 * @operation context.compact
 * @param summary - What to know of the turns so far. It is all that stays of them.
 * @param files - The paths of the files to show again beside the summary. None where left out.
 * @throws ApiError `invalid-argument` where the summary is empty; `not-found` where a file does not exist.
 */
export function compact(summary: string, files?: string[]): void;
