import type { ComponentChild } from 'preact';

/** Names with their values. Undefined values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChild])[] }) {
  return (
    <dl class="facts">
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
