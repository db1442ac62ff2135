/**
 * The run's board of epics and issues, which its agents share.
 *
 * @module board
 */

import type { Usage } from "gg/core";

/** An epic to create. */
export interface NewEpic {
  /** 3 to 6 letters, with which the ids of its issues begin. */
  prefix: string;
  /** The epic's title, on one line. */
  title: string;
  /** What the epic is about. */
  description: string;
}

/** An issue to create. */
export interface NewIssue {
  /** The issue's title, on one line. */
  title: string;
  /** What the issue is about. */
  description?: string;
  /** What belongs to it. Nothing in particular where left out. */
  inScope?: string[];
  /** What does not belong to it. */
  outOfScope?: string[];
  /** What must hold for it to be done. */
  completionCriteria?: string[];
  /** The ids of the issues that must be done first. */
  blockedBy?: string[];
  /** The id of the epic that it belongs to. None where left out. */
  epicId?: string;
  /** The profile of the agent that works on it. */
  agent: string;
  /** The profiles of the agents that review it. */
  reviewers?: string[];
}

/** What was created. */
export interface Created {
  /** The new epic's or issue's id. */
  id: string;
  /** How many of its kind there are now. */
  usage: Usage;
}

/**
 * The state of an issue.
 *
 * - `"open"`: nobody works on it yet.
 * - `"in-progress"`: an agent works on it.
 * - `"in-review"`: its reviewers look at it.
 * - `"done"`: it was reviewed and is complete.
 * - `"cancelled"`: it will not be done.
 */
export type IssueStatus = "open" | "in-progress" | "in-review" | "done" | "cancelled";

/** What to change of an issue. A field that is left out stays as it is. */
export interface IssuePatch {
  /** A new title. */
  title?: string;
  /** A new description, or null to remove it. */
  description?: string | null;
  /** What belongs to it, in place of what did. */
  inScope?: string[];
  /** What does not belong to it, in place of what did not. */
  outOfScope?: string[];
  /** What must hold for it to be done, in place of what had to. */
  completionCriteria?: string[];
  /** A new state. */
  status?: IssueStatus;
  /** The id of the epic to move it to, or null to take it out of its epic. */
  epic?: string | null;
}

/**
 * Creates an epic, under which issues are grouped.
 *
 * @operation board.create_epic
 * @param epic - The epic to create.
 * @returns The new epic's id, and how many epics there are.
 * @throws ApiError `invalid-argument` where the prefix is not 3 to 6 letters; `conflict` where it is taken; `limit-exceeded` where there are too many.
 */
export function createEpic(epic: NewEpic): Created;

/**
 * Creates an issue for an agent to work on.
 *
 * @operation board.create_issue
 * @param issue - The issue to create.
 * @returns The new issue's id, and how many issues there are.
 * @throws ApiError `not-found` where the epic, an issue that blocks it, or a profile does not exist; `limit-exceeded` where there are too many.
 */
export function createIssue(issue: NewIssue): Created;

/**
 * Changes fields of an issue; those that the patch leaves out stay as they are.
 *
 * @operation board.update_issue
 * @param id - The issue's id.
 * @param patch - What to change.
 * @throws ApiError `not-found` where the issue or the epic does not exist; `refused` where its state does not allow the change.
 */
export function updateIssue(id: string, patch: IssuePatch): void;

/**
 * Replaces the list of issues that block an issue.
 *
 * @operation board.set_issue_blocked_by
 * @param id - The issue's id.
 * @param blockedBy - The ids of the issues that must be done first. An empty array unblocks it.
 * @throws ApiError `not-found` where one of them does not exist; `conflict` where they would block each other in a circle.
 */
export function setIssueBlockedBy(id: string, blockedBy: string[]): void;

/**
 * Removes an epic. Its issues stay, without an epic.
 *
 * @operation board.remove_epic
 * @param id - The epic's id.
 * @returns How many epics there are now.
 * @throws ApiError `not-found` where there is no such epic.
 */
export function removeEpic(id: string): Usage;

/**
 * Removes an issue from the board.
 *
 * @operation board.remove_issue
 * @param id - The issue's id.
 * @returns How many issues there are now.
 * @throws ApiError `not-found` where there is no such issue; `refused` where an agent works on it.
 */
export function removeIssue(id: string): Usage;

/**
 * Asks to wait until an issue is done. The wait begins when the program has ended; what comes of it is read in the next turn.
 *
 * @operation board.wait_for_issue
 * @param id - The issue's id.
 * @returns An acknowledgement that says what is waited for.
 * @throws ApiError `not-found` where there is no such issue.
 */
export function waitForIssue(id: string): string;
