/**
 * The types that the other modules share.
 *
 * @module core
 */

/**
 * Why a call failed.
 *
 * - `"invalid-argument"`: an argument that can never be right. Fix it.
 * - `"not-found"`: what was named does not exist.
 * - `"conflict"`: the state is not what the call needs, such as several matches, a cycle or a taken name.
 * - `"refused"`: a rule about the agent's state forbids it now.
 * - `"unavailable"`: not offered to this agent.
 * - `"limit-exceeded"`: a ceiling was reached, such as a size, a time or a count.
 * - `"io-error"`: the file system failed.
 * - `"other"`: anything else.
 */
export type ErrorCode =
  | "invalid-argument"
  | "not-found"
  | "conflict"
  | "refused"
  | "unavailable"
  | "limit-exceeded"
  | "io-error"
  | "other";

/**
 * What every call throws when the host refuses or fails it. An argument of a wrong type
 * is a `TypeError` instead, thrown before the host is asked.
 */
export class ApiError extends Error {
  /** Makes an error as the host's are; a program seldom needs to. */
  constructor(operation: string, code: ErrorCode, message: string);
  /** Always `"ApiError"`. */
  readonly name: "ApiError";
  /** The operation that failed, as `module.operation` in snake case: `"files.read_file"`. */
  readonly operation: string;
  /** Why it failed. Branch on this rather than on the message. */
  readonly code: ErrorCode;
  /** What failed, where, and what to do next. */
  readonly message: string;
}

/** How many there are now, and how many there may be. */
export interface Usage {
  /** How many there are now. */
  count: number;
  /** How many there may be; absent where there is no limit. */
  max?: number;
}
