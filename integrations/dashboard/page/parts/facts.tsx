import type { ComponentChild } from 'preact';

interface FactsProps {
  readonly facts: readonly (readonly [string, ComponentChild])[];
  /** Whether short values are beside each other where the page is wide enough. */
  readonly isShort?: boolean;
}

/** Names with their values. Undefined values are left out. */
export function Facts({ facts, isShort = false }: FactsProps) {
  return (
    <dl class={isShort ? 'facts short' : 'facts'}>
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
