import type { DecisionVerb, FixRow } from '../../views.js';
import { usePage } from '../lib/page-context.js';
import { useKeys } from '../lib/use-keys.js';
import { VERBS } from './verbs.js';

const ORDER: readonly DecisionVerb[] = ['approve', 'reject', 'apply', 'rollback'];
const KEYS: Readonly<Record<string, DecisionVerb>> = { a: 'approve', x: 'reject' };

/** Decisions that are legal for a fix, as buttons and keys. */
export function DecisionBar({ fix }: { readonly fix: FixRow }) {
  const { ask, state, client } = usePage();
  const decisions = state.status?.decisions;
  const allowed = decisions?.allowed ? ORDER.filter((verb) => fix.may.includes(verb)) : [];
  useKeys(({ key }) => {
    const verb = KEYS[key];
    if (verb === undefined || !allowed.includes(verb)) return false;
    ask({ verb, fix });
    return true;
  });
  if (decisions && !decisions.allowed) {
    return (
      <p class="row dim">
        Decisions cannot be made here: {decisions.reason}
        {decisions.action === 'login' ? (
          <button type="button" onClick={() => client.askForToken()}>
            Sign in
          </button>
        ) : null}
      </p>
    );
  }
  if (allowed.length === 0) return null;
  return (
    <div class="decision-bar">
      {allowed.map((verb, index) => (
        <button
          key={verb}
          type="button"
          class={index === 0 && !VERBS[verb].isDangerous ? 'primary' : ''}
          onClick={() => ask({ verb, fix })}
        >
          {VERBS[verb].button}
          {keyOf(verb)}
        </button>
      ))}
    </div>
  );
}

function keyOf(verb: DecisionVerb) {
  const key = Object.keys(KEYS).find((one) => KEYS[one] === verb);
  return key === undefined ? null : <kbd class="hint">{key}</kbd>;
}
