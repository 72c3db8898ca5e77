import type { Marker } from '../contract/ledger-entry.js';
import type { HealthPoint } from '../verify/health.js';

/** One item of the history: the health of an hour, or a change. */
export type HistoryItem =
  | { readonly kind: 'health'; readonly atMs: number; readonly point: HealthPoint }
  | { readonly kind: 'marker'; readonly atMs: number; readonly marker: Marker };

/** Returns points and markers in time order. A marker follows the hour that contains it. */
export function historyOf(points: readonly HealthPoint[], markers: readonly Marker[]): readonly HistoryItem[] {
  const items = [
    ...points.map((point): HistoryItem => ({ kind: 'health', atMs: point.atMs, point })),
    ...markers.map((marker): HistoryItem => ({ kind: 'marker', atMs: marker.atMs, marker })),
  ];
  return items.sort((a, b) => a.atMs - b.atMs);
}
