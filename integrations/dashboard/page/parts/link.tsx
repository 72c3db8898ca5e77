import type { ComponentChildren } from 'preact';
import { useAddresses } from '../lib/page-context.js';
import { address, type QueryChange, withRange } from '../lib/route.js';

export interface LinkProps {
  readonly to: readonly string[];
  readonly query?: QueryChange;
  readonly current?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Link to another view of the page, opened without loading it again. */
export function Link({ to, query, current, children, ...rest }: LinkProps) {
  const { go, base, range } = useAddresses();
  const target = withRange(address(to, query), range);
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(target);
  };
  return (
    <a href={`${base}${target}`} onClick={open} aria-current={current ? 'page' : undefined} class={rest.class}>
      {children}
    </a>
  );
}
