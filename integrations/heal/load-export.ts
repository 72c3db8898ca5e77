import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads a module again, as a version of its own, and returns one of its exports. */
export async function loadExport(root: string, file: string, version: string, name: string): Promise<unknown> {
  const { href } = pathToFileURL(join(root, file));
  const loaded: Record<string, unknown> = await import(`${href}?version=${version}`);
  return loaded[name];
}
