/**
 * Files of the agent's tree. Paths are relative to the tree; `/work/…` means the same.
 *
 * @module files
 */

/** A window of lines to read. */
export interface LineWindow {
  /** The first line to read, counted from 1. The first line of the file where left out. */
  offset?: number;
  /** How many lines to read at most. To the end of the file where left out. */
  limit?: number;
}

/** A window of a text file. */
export interface TextFile {
  /** Tells it from a picture. */
  kind: "text";
  /** The lines of the window, with their line ends. */
  contents: string;
  /** The number of the window's first line, counted from 1; 0 where the window is empty. */
  firstLine: number;
  /** The number of the window's last line; 0 where the window is empty. */
  lastLine: number;
  /** How many lines the file has. */
  totalLines: number;
  /** Whether the window was cut at the byte cap: go on reading from `lastLine + 1`. */
  byteTruncated: boolean;
}

/** A picture, recognised by its first bytes. */
export interface ImageFile {
  /** Tells it from text. */
  kind: "image";
  /** The picture's media type, such as `"image/png"`. */
  mediaType: string;
  /** The name under which it is shown. */
  label: string;
  /** The file's size in bytes. */
  bytes: number;
  /** Whether the model is shown the picture. */
  shown: boolean;
  /** Why it is not shown; absent where it is. */
  notShownReason?: string;
}

/** What a file holds: text, or a picture. Branch on `kind`. */
export type FileContents = TextFile | ImageFile;

/** One entry of a directory. */
export interface DirEntry {
  /** The entry's name, without its directory. */
  name: string;
  /** What the entry is: a file, a directory, or something else such as a symbolic link. */
  kind: "file" | "directory" | "other";
}

/** Where a search looks, and how much it gives. */
export interface SearchOptions {
  /** The directory or file to search. The whole tree where left out. */
  path?: string;
  /** How many matches to give at most. */
  limit?: number;
}

/** One line that a search found. */
export interface SearchMatch {
  /** The file's path, relative to the tree. */
  path: string;
  /** The number of the line, counted from 1. */
  line: number;
  /** The line's text. */
  text: string;
}

/**
 * Reads a window of lines of a text file, or recognises a picture by its first bytes.
 *
 * @operation files.read_file
 * @param path - The file's path, relative to the tree.
 * @param window - Which lines to read; the whole file where left out.
 * @returns The text of the window, or the picture's description. Branch on `kind`.
 * @throws ApiError `not-found` where there is no such file; `invalid-argument` where it is a directory, leaves the tree, or is neither text nor a picture.
 * @example
 * const file = readFile("src/main.js", { offset: 1, limit: 40 });
 * if (file.kind === "text") console.log(file.contents);
 */
export function readFile(path: string, window?: LineWindow): FileContents;

/**
 * Reads a window of lines of a text file as one string.
 *
 * @operation files.read_text_file
 * @param path - The file's path, relative to the tree.
 * @param window - Which lines to read; the whole file where left out.
 * @returns The text of the window.
 * @throws ApiError `not-found` where there is no such file; `invalid-argument` where it is a picture, a directory, or leaves the tree.
 */
export function readTextFile(path: string, window?: LineWindow): string;

/**
 * Writes a whole file, making the directories that it needs. What the file held before is replaced.
 *
 * @operation files.write_file
 * @param path - The file's path, relative to the tree.
 * @param contents - All that the file is to hold.
 * @returns How many bytes were written.
 * @throws ApiError `invalid-argument` where the path leaves the tree or names a directory; `limit-exceeded` where the tree would grow too large.
 */
export function writeFile(path: string, contents: string): number;

/**
 * Replaces the one occurrence of a text in a file by another.
 *
 * @operation files.edit_file
 * @param path - The file's path, relative to the tree.
 * @param old - The text to replace, exactly as the file has it. It must occur once.
 * @param replacement - The text to put in its place.
 * @throws ApiError `not-found` where the file or the text does not exist; `conflict` where the text occurs several times: the message counts them, so give more of what stands around it.
 */
export function editFile(path: string, old: string, replacement: string): void;

/**
 * Lists a directory, by name. An empty directory gives an empty list.
 *
 * @operation files.list_dir
 * @param path - The directory's path, relative to the tree. The tree itself where left out.
 * @returns The directory's entries, in the order of their names.
 * @throws ApiError `not-found` where there is no such directory; `invalid-argument` where it is a file or leaves the tree.
 */
export function listDir(path?: string): DirEntry[];

/**
 * Searches files line by line for a regular expression. What `.gitignore` names and binary files are skipped.
 *
 * @operation files.search
 * @param query - A regular expression in the syntax of Rust's regex crate (no look-around, no back-references), as a string: `"TODO|FIXME"`.
 * @param options - Where to look and how much to give.
 * @returns The lines that match, by path and line. Empty where nothing matches.
 * @throws ApiError `invalid-argument` where the expression is wrong, with the position; `not-found` where the path does not exist.
 */
export function search(query: string, options?: SearchOptions): SearchMatch[];
