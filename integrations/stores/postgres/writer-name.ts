import { randomBytes } from 'node:crypto';

/** Returns a unique name that sorts by start time. It is short because it is part of every id this process creates. */
export function writerName(nowMs: number): string {
  const seconds = Math.max(0, Math.floor(nowMs / 1000))
    .toString(36)
    .padStart(6, '0')
    .slice(-6);
  return seconds + randomBytes(4).readUInt32BE().toString(36).padStart(7, '0').slice(-6);
}
