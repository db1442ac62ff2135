/**
 * The documentation of what this agent can call.
 *
 * @module docs
 */

/**
 * What an entry of the documentation describes.
 *
 * - `"operation"`: a call.
 * - `"type"`: a type that calls take or give.
 * - `"module"`: a module as a whole.
 * - `"alias"`: a second name of a call.
 */
export type DocKind = "operation" | "type" | "module" | "alias";

/** What a search of the documentation is narrowed to. */
export interface DocFilter {
  /** Only entries of this module, such as `"files"`. */
  module?: string;
  /** Only calls that take or give this type, such as `"FileContents"`. */
  type?: string;
  /** Only entries of this kind. */
  kind?: DocKind;
  /** How many of the best hits to skip. */
  offset?: number;
  /** How many hits to give: 20 where left out, at most 100. */
  limit?: number;
}

/** An entry that a search found. */
export interface DocHit {
  /** The entry's key, which `views.openDocsView` takes: `"files.readFile"`. */
  key: string;
  /** What the entry describes. */
  kind: DocKind;
  /** The module that it belongs to. */
  module: string;
  /** Its name within the module. */
  name: string;
  /** The first sentence of its documentation. */
  summary: string;
}

/** A page of hits. */
export interface DocPage {
  /** How many entries match in all. */
  total: number;
  /** How many of them were skipped. */
  offset: number;
  /** The hits of this page, best first. */
  hits: DocHit[];
}

/**
 * Searches the documentation by what a call does, and shows the results in the next turn.
 *
 * @operation docs.search
 * @param query - What to look for, in plain words. With a filter it may be left out or empty.
 * @param filter - What to narrow the search to.
 * @returns The entries that match, best first.
 * @throws ApiError `invalid-argument` where there is neither a query nor a filter.
 * @example
 * const page = search("replace text in a file", { kind: "operation" });
 */
export function search(query?: string, filter?: DocFilter): DocPage;

/**
 * Closes a view of the documentation, so that the next turn does not show it.
 *
 * @operation docs.close
 * @param key - The entry's key, as `views.openDocsView` was given it.
 * @returns How many views were closed.
 */
export function close(key: string): number;

/**
 * Closes every view of the documentation, that of search results included.
 *
 * @operation docs.close_all
 * @returns How many views were closed.
 */
export function closeAll(): number;
