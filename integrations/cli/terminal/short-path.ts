import { relative, sep } from 'node:path';

/** Returns the path as a person types it in the working folder: `./rsi_data`, `../data`, else the whole path. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  if (short === '') return '.';
  const levels = short.split(sep).filter((part) => part === '..').length;
  if (levels > 3) return path;
  return levels === 0 ? `.${sep}${short}` : short;
}
