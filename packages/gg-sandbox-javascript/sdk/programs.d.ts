/**
 * The programs of this agent.
 *
 * @module programs
 */

/** A program that ran in an earlier turn. */
export interface ProgramEntry {
  /** The turn's number. */
  turn: number;
  /** How many lines the program has. */
  lines: number;
  /** How many characters it has. */
  chars: number;
  /** Whether it completed. */
  ok: boolean;
  /** What it failed with; absent where it completed. */
  error?: string;
}

/**
 * Lists the programs that this agent ran, oldest first.
 *
 * @operation programs.history
 * @returns The programs, by turn.
 */
export function history(): ProgramEntry[];

/**
 * Gives the source of a program that ran.
 *
 * @operation programs.get
 * @param turn - The turn's number. The latest program where left out.
 * @returns The source, as it ran.
 * @throws ApiError `not-found` where no program ran in that turn.
 */
export function get(turn?: number): string;

/**
 * Runs another program in place of this one, once this one has ended. The first of a turn stands, and a program that fails takes it back.
 *
 * @operation programs.rerun
 * @param source - The program to run, in the same language.
 * @throws ApiError `refused` where this program asked for one already; `limit-exceeded` where four programs ran in this turn.
 */
export function rerun(source: string): void;
