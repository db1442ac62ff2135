/**
 * What the model reads after the turn.
 *
 * @module views
 */

import type { FileContents, LineWindow } from "gg/files";

/**
 * What a view shows.
 *
 * - `"file"`: a window of a file.
 * - `"text"`: a text that a program gave.
 * - `"docs"`: the documentation of a call or a type.
 * - `"search-results"`: what a search of the documentation found.
 */
export type ViewKind = "file" | "text" | "docs" | "search-results";

/** A view that is open. */
export interface ViewEntry {
  /** What it shows. */
  kind: ViewKind;
  /** What `close` takes: a path, a label or a documentation key. */
  selector: string;
  /** How many tokens it takes of the window, estimated. */
  tokens: number;
  /** Which lines of a file it shows; absent where it shows no file. */
  region?: string;
}

/**
 * Reads a window of a file and shows it in the next turn. The same path and window replace the view.
 *
 * @operation views.open_file
 * @param path - The file's path, relative to the tree.
 * @param window - Which lines to show; the whole file where left out.
 * @returns The text of the window, or the picture's description, as `files.readFile` gives it.
 * @throws ApiError `not-found` where there is no such file; `invalid-argument` where it is a directory, leaves the tree, or is neither text nor a picture.
 */
export function openFile(path: string, window?: LineWindow): FileContents;

/**
 * Shows a text in the next turn. This is how a program tells the model what it found; the same label replaces.
 *
 * @operation views.open_text
 * @param label - The view's heading, at most 200 bytes.
 * @param body - What to show, at most 65,536 bytes (8 MiB in one turn).
 * @throws ApiError `limit-exceeded` where either is too long: nothing is cut, so shorten it.
 * @example
 * openText("failing tests", failures.join("\n"));
 */
export function openText(label: string, body: string): void;

/**
 * Shows the documentation of a call or a type in the next turn, and that of the types which it names.
 *
 * @operation views.open_docs_view
 * @param name - A key such as `"files.readFile"`, or a bare name such as `"readFile"`.
 * @throws ApiError `not-found` where nothing has that name: the message gives near ones.
 */
export function openDocsView(name: string): void;

/**
 * Closes views, so that the next turn does not show them.
 *
 * @operation views.close
 * @param selector - The view's path, label or key, as `current` gives it.
 * @returns How many views were closed.
 */
export function close(selector: string): number;

/**
 * Lists the views that are open.
 *
 * @operation views.current
 * @returns The open views, with what each takes of the window.
 */
export function current(): ViewEntry[];
