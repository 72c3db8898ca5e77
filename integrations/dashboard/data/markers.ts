import type { RSILoop } from 'rsi-loop';
import type { Marker } from 'rsi-loop/kit';
import { nameOfFix } from './fix-name.js';

/** Returns the changes since a time, oldest first. Those of fixes say what the fix changes. */
export function markersSince(loop: RSILoop, sinceMs: number): readonly Marker[] {
  const fixes = new Map(loop.fixes().map((fix) => [fix.id, fix]));
  return loop.healthHistory().flatMap((item) => {
    if (item.kind !== 'marker' || item.atMs < sinceMs) return [];
    const fix = item.marker.fixId === undefined ? undefined : fixes.get(item.marker.fixId);
    return [fix ? { ...item.marker, label: nameOfFix(loop, fix) } : item.marker];
  });
}
