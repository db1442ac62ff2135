/**
 * Commands in the agent's tree.
 *
 * @module shell
 */

/** How a command is run. */
export interface ShellOptions {
  /** How many seconds the command may take; 120 where left out. It is also bounded by what is left of the run. */
  timeoutSecs?: number;
}

/** How a command ended, and what it wrote. */
export interface ShellOutput {
  /** The command's exit status; null where a signal ended it. */
  exitCode: number | null;
  /** Its standard output, then its standard error. Where that is long, its end is kept. */
  output: string;
  /** Whether the beginning of the output was cut. */
  truncated: boolean;
}

/**
 * Runs a command by `bash -c`, in the tree. A command that fails is a success of the call: look at `exitCode`.
 *
 * @operation shell.shell
 * @param command - What bash is to run.
 * @param options - How it is run.
 * @returns The exit status and the output.
 * @throws ApiError `limit-exceeded` where the command does not end in time. Nothing of it goes on running.
 * @example
 * const { exitCode, output } = shell("npm test");
 * if (exitCode !== 0) console.log(output);
 */
export function shell(command: string, options?: ShellOptions): ShellOutput;
