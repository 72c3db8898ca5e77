import type { ComponentChildren } from 'preact';
import { useCommand } from '../lib/command.js';
import { Copyable } from './copyable.js';

interface EmptyProps {
  readonly children: ComponentChildren;
  /** Command on the store of this page that is the first step, such as `cycle`. */
  readonly command?: string;
}

/** Place of something that does not exist yet: what to do first. */
export function Empty({ children, command }: EmptyProps) {
  const write = useCommand();
  return (
    <div class="empty">
      <p>{children}</p>
      {command ? <Copyable command={write(command)} /> : null}
    </div>
  );
}
