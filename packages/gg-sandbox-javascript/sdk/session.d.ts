/**
 * How a session ends.
 *
 * @module session
 */

/**
 * Ends the session: the work is done. Of several calls the last counts, and a program that fails takes it back.
 *
 * @operation session.finish
 * @param summary - What was done, for whoever gave the task. It must not be empty.
 * @throws ApiError `invalid-argument` where the summary is empty.
 */
export function finish(summary: string): void;

/**
 * Ends a review: the work is good as it is.
 *
 * @operation session.approve
 * @param summary - What was reviewed and why it is good.
 */
export function approve(summary: string): void;

/**
 * Ends a review: the work needs changes.
 *
 * @operation session.request_changes
 * @param items - What must change, an item each. None may be blank, and there must be one.
 * @throws ApiError `invalid-argument` where there is no item or one is blank.
 */
export function requestChanges(items: string[]): void;
