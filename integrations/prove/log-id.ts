import { textVersions } from 'rsi-loop/kit';

/** Returns a name as the id of a log, which has no other signs than letters, digits, `_` and `-`. */
export function logIdOf(name: string): string {
  const id = name.replace(/[^\w-]/g, '-');
  return id === name ? id : `${id}-${textVersions.shortVersion(textVersions.versionOf(name))}`;
}
