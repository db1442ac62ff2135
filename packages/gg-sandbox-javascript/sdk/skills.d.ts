/**
 * Texts that teach the agent something, some with code.
 *
 * @module skills
 */

/**
 * Reads a skill and keeps it in view. Its code module is loaded, and its script runs after the program.
 *
 * @operation skills.read_skill
 * @param name - The skill's name.
 * @returns The skill's text.
 * @throws ApiError `not-found` where there is no such skill.
 */
export function readSkill(name: string): string;
