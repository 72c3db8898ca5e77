import { gitRepository } from '../git-repository.js';

/** Copies the agent into a git repository of its own, unless it is there, and returns the folder. */
export function agentRepository(folder: string): string {
  return gitRepository(import.meta.dirname, ['src', 'model', 'test'], folder);
}
