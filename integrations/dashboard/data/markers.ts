import type { RSILoop } from 'rsi-loop';
import type { Marker } from 'rsi-loop/kit';
import { nameOfFix } from './fix-name.js';

/** Longest time between equal changes of model of several tasks that are shown as one. */
const TOGETHER_MS = 86_400_000;

/**
 * Returns the changes since a time, oldest first. Those of fixes say what the fix changes. The same change of model of
 * several tasks is one; with `task`, only that of this task is shown.
 */
export function markersSince(loop: RSILoop, sinceMs: number, task?: string): readonly Marker[] {
  const shown: Marker[] = [];
  const changes = new Map<string, { readonly at: number; readonly sinceMs: number; readonly tasks: string[] }>();
  for (const marker of allSince(loop, sinceMs)) {
    const { label, task: of, atMs } = marker;
    if (of === undefined) {
      shown.push(marker);
      continue;
    }
    const change = label.slice(`${of}: `.length);
    if (task !== undefined && of !== task) continue;
    const known = changes.get(change);
    if (known && atMs - known.sinceMs < TOGETHER_MS) {
      if (!known.tasks.includes(of)) known.tasks.push(of);
      shown[known.at] = { ...marker, atMs: known.sinceMs, label: `${known.tasks.join(', ')}: ${change}` };
    } else changes.set(change, { at: shown.push(marker) - 1, sinceMs: atMs, tasks: [of] });
  }
  return shown;
}

function allSince(loop: RSILoop, sinceMs: number): readonly Marker[] {
  const fixes = new Map(loop.fixes().map((fix) => [fix.id, fix]));
  return loop.healthHistory().flatMap((item) => {
    if (item.kind !== 'marker' || item.atMs < sinceMs) return [];
    const fix = item.marker.fixId === undefined ? undefined : fixes.get(item.marker.fixId);
    return [fix ? { ...item.marker, label: nameOfFix(loop, fix) } : item.marker];
  });
}
