/**
 * Other agents.
 *
 * @module delegation
 */

/** Work for another agent that is told in words. */
export interface PromptWork {
  /** What the agent is to do. */
  prompt: string;
}

/** Work for another agent that an issue of the board describes. */
export interface IssueWork {
  /** The issue's id. */
  issue: string;
}

/** What another agent is to do: a prompt, or an issue of the board. */
export type Work = PromptWork | IssueWork;

/** An agent that was started. */
export interface Subagent {
  /** The agent's id. */
  id: string;
  /** The profile that it was started from. */
  profile: string;
  /** The model that it runs on. */
  modelId: string;
}

/** How a subagent ended. */
export interface SubagentResult {
  /** The agent's id. */
  id: string;
  /** How it ended; absent while it runs. */
  status?: string;
  /** What it says of its work. */
  summary: string;
}

/**
 * Starts another agent on a piece of work.
 *
 * @operation delegation.spawn_subagent
 * @param agent - The name of the profile to start it from.
 * @param work - What it is to do: `{ prompt: "…" }` or `{ issue: "…" }`.
 * @returns The agent that was started. It runs beside this one.
 * @throws ApiError `not-found` where the profile or the issue does not exist; `limit-exceeded` where agents would be nested too deep or be too many.
 */
export function spawnSubagent(agent: string, work: Work): Subagent;

/**
 * Waits until subagents have ended.
 *
 * @operation delegation.wait_for_subagents
 * @param ids - The ids of the agents to wait for. All of this agent's where left out.
 * @returns How each of them ended.
 * @throws ApiError `not-found` where one is no subagent of this agent.
 */
export function waitForSubagents(ids?: string[]): SubagentResult[];

/**
 * Sends a message to another agent, which reads it in its next turn.
 *
 * @operation delegation.send_message
 * @param agentId - The agent's id.
 * @param message - What to tell it.
 * @throws ApiError `not-found` where there is no such agent; `refused` where it has ended.
 */
export function sendMessage(agentId: string, message: string): void;

/**
 * Moves this agent to another state of its state machine when the turn closes. The first succession of a turn stands.
 *
 * @operation delegation.transition_state
 * @param state - The state's name.
 * @param note - What the next state should know.
 * @throws ApiError `not-found` where this state has no way there; `refused` where the turn has a succession already.
 */
export function transitionState(state: string, note?: string): void;

/**
 * Goes on as an agent of another profile when the turn closes. The first succession of a turn stands.
 *
 * @operation delegation.exec
 * @param agent - The profile's name.
 * @param prompt - What the agent is to do. The same task where left out.
 * @throws ApiError `not-found` where there is no such profile; `refused` where the turn has a succession already.
 */
export function exec(agent: string, prompt?: string): void;

/**
 * Starts a copy of this agent, with all that it knows, when the turn closes.
 *
 * @operation delegation.fork
 * @param prompt - What the copy is to do.
 * @returns A handle by which the copy is known.
 * @throws ApiError `limit-exceeded` where agents would be nested too deep or be too many.
 */
export function fork(prompt: string): string;
