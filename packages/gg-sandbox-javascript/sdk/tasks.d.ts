/**
 * The agent's own list of tasks.
 *
 * @module tasks
 */

import type { Usage } from "gg/core";

/** A task to add. */
export interface NewTask {
  /** The task's id, which the agent chooses. It must be new. */
  id: string;
  /** The task's title, on one line. */
  title: string;
  /** What the task is about. */
  description?: string;
  /** The ids of the tasks that must be done first. */
  blockedBy?: string[];
}

/**
 * The state of a task.
 *
 * - `"pending"`: not begun.
 * - `"in-progress"`: being worked on.
 * - `"done"`: complete.
 */
export type TaskStatus = "pending" | "in-progress" | "done";

/** What to change of a task. A field that is left out stays as it is. */
export interface TaskPatch {
  /** A new title. */
  title?: string;
  /** A new description, or null to remove it. */
  description?: string | null;
  /** A new state. */
  status?: TaskStatus;
}

/**
 * Adds a task to the agent's list.
 *
 * @operation tasks.add_task
 * @param task - The task to add.
 * @returns How many tasks there are now.
 * @throws ApiError `conflict` where the id is taken; `not-found` where a task that blocks it does not exist; `limit-exceeded` where there are too many.
 */
export function addTask(task: NewTask): Usage;

/**
 * Changes fields of a task; those that the patch leaves out stay as they are.
 *
 * @operation tasks.update_task
 * @param id - The task's id.
 * @param patch - What to change.
 * @throws ApiError `not-found` where there is no such task.
 */
export function updateTask(id: string, patch: TaskPatch): void;

/**
 * Replaces the list of tasks that block a task.
 *
 * @operation tasks.set_blocked_by
 * @param id - The task's id.
 * @param blockedBy - The ids of the tasks that must be done first. An empty array unblocks it.
 * @throws ApiError `not-found` where one of them does not exist; `conflict` where they would block each other in a circle.
 */
export function setBlockedBy(id: string, blockedBy: string[]): void;

/**
 * Marks a task as done.
 *
 * @operation tasks.complete_task
 * @param id - The task's id.
 * @throws ApiError `not-found` where there is no such task; `refused` where a task that blocks it is not done.
 */
export function completeTask(id: string): void;

/**
 * Removes a task from the list.
 *
 * @operation tasks.remove_task
 * @param id - The task's id.
 * @returns How many tasks there are now.
 * @throws ApiError `not-found` where there is no such task.
 */
export function removeTask(id: string): Usage;
