import { exact, relative } from '../lib/format.js';
import { useNow } from '../lib/page-context.js';

/** Relative time. The exact time in the zone of the reader shows on hover and is part of copied text. */
export function When({ atMs }: { readonly atMs: number }) {
  const nowMs = useNow();
  const full = exact(atMs);
  return (
    <time class="when" dateTime={isoOf(atMs)} title={full}>
      {relative(atMs, nowMs)}
      <span class="unseen"> ({full})</span>
    </time>
  );
}

function isoOf(atMs: number): string | undefined {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
