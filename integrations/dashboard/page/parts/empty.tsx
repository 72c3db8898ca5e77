import type { ComponentChildren } from 'preact';
import { Copyable } from './copyable.js';

interface EmptyProps {
  readonly children: ComponentChildren;
  /** Command that is the first step. */
  readonly command?: string;
}

/** Place of something that does not exist yet: what to do first. */
export function Empty({ children, command }: EmptyProps) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command ? <Copyable command={command} /> : null}
    </div>
  );
}
