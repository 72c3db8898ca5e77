import type { ComponentChild } from 'preact';
import type { Kept } from '../lib/shelf.js';
import { useLate } from '../lib/use-late.js';
import { NOT_FOUND, ProblemNote } from './problem-note.js';

/** Time before a skeleton shows: most views arrive earlier, and a flash is a distraction. */
const PATIENCE_MS = 200;

interface LoadedProps<View> {
  readonly kept: Kept;
  readonly children: (view: View) => ComponentChild;
}

/** Draws a view once it is there. Until then a skeleton, or what failed and what to do. */
export function Loaded<View>({ kept, children }: LoadedProps<View>) {
  const { data, problem } = kept;
  // The server and the page compile against the same views.
  if (data !== undefined && problem?.status !== NOT_FOUND) return <>{children(data as View)}</>;
  if (problem) return <ProblemNote problem={problem} />;
  return <Skeleton />;
}

function Skeleton() {
  if (!useLate(PATIENCE_MS)) return <div aria-busy="true" />;
  return (
    <div class="skeleton" role="status" aria-busy="true">
      <span class="unseen">Loading</span>
      <div class="bone bone-title" />
      <div class="bone bone-sentence" />
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} class="bone" />
      ))}
    </div>
  );
}
