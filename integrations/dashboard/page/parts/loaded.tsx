import type { ComponentChild } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Kept } from '../lib/shelf.js';
import { useLate } from '../lib/use-late.js';
import { NOT_FOUND, ProblemNote } from './problem-note.js';

/** Time before a skeleton shows: most views arrive earlier, and a flash is a distraction. */
const PATIENCE_MS = 200;

interface LoadedProps<View> {
  readonly kept: Kept;
  /** Whether it is a part of a screen that has a heading. */
  readonly isPart?: boolean;
  readonly children: (view: View) => ComponentChild;
}

/** Draws a view once it is there. Until then a skeleton, or what failed and what to do. */
export function Loaded<View>({ kept, isPart = false, children }: LoadedProps<View>) {
  const { data, problem } = kept;
  // The question of the screen takes the focus of the heading in its place.
  const hadFocus = document.activeElement?.id === 'loading';
  useLayoutEffect(() => {
    if (hadFocus) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
  // The server and the page compile against the same views.
  if (data !== undefined && problem?.status !== NOT_FOUND) return <>{children(data as View)}</>;
  if (problem) return <ProblemNote problem={problem} />;
  return <Skeleton isPart={isPart} />;
}

function Skeleton({ isPart }: { readonly isPart: boolean }) {
  const isLate = useLate(PATIENCE_MS);
  return (
    <div class={isLate ? 'skeleton' : 'unseen'} role="status" aria-busy="true">
      {isPart ? (
        <span class="unseen">Loading</span>
      ) : (
        <h1 id="loading" class="unseen" tabIndex={-1}>
          Loading
        </h1>
      )}
      <div class="bone bone-title" />
      <div class="bone bone-sentence" />
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} class="bone" />
      ))}
    </div>
  );
}
