import { shortVersion, versionOf } from '../lib/text-version.js';

/** Returns a name as the id of a log, which has no other signs than letters, digits, `_` and `-`. */
export function logIdOf(name: string): string {
  const id = name.replace(/[^\w-]/g, '-');
  return id === name ? id : `${id}-${shortVersion(versionOf(name))}`;
}
