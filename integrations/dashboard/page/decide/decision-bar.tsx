import type { ComponentChildren } from 'preact';
import type { FixDecision } from 'rsi-loop/kit';
import type { AskedVerb, FixRow } from '../../fix-views.js';
import { usePage } from '../lib/page-context.js';
import { useKeys } from '../lib/use-keys.js';
import { VERBS } from './verbs.js';

const ORDER: readonly FixDecision[] = ['approve', 'reject', 'apply', 'rollback', 'reconsider'];
const KEYS: Readonly<Record<string, FixDecision>> = { a: 'approve', x: 'reject' };

/** Decisions that are legal for a fix, as buttons and keys. */
export function DecisionBar({ fix }: { readonly fix: FixRow }) {
  const { ask, state } = usePage();
  const decisions = state.status?.decisions;
  const allowed = decisions?.allowed ? ORDER.filter((verb) => fix.may.includes(verb)) : [];
  useKeys(({ key }) => {
    const verb = KEYS[key];
    if (verb === undefined || !allowed.includes(verb)) return false;
    ask({ verb, fix });
    return true;
  });
  if (decisions?.allowed && allowed.length === 0) return null;
  return (
    <DecisionPlace>
      {allowed.map((verb, index) => (
        <button
          key={verb}
          type="button"
          class={index === 0 && canBePrimary(verb, fix) ? 'primary' : ''}
          onClick={() => ask({ verb, fix })}
        >
          {VERBS[verb].button}
          {keyHint(verb)}
        </button>
      ))}
    </DecisionPlace>
  );
}

/** Returns whether a button may stand out: it is not dangerous, and a trial that it starts can be decided. */
function canBePrimary(verb: FixDecision, { forecast, needs, status }: FixRow): boolean {
  if (VERBS[verb].isDangerous) return false;
  return verb !== 'approve' || status !== 'proposed' || (forecast.kind === 'testable' && needs === undefined);
}

/** Place of the buttons for decisions. Says why there are none, where decisions cannot be made. */
export function DecisionPlace({ children }: { readonly children: ComponentChildren }) {
  const { state, client } = usePage();
  const decisions = state.status?.decisions;
  if (decisions?.allowed) return <div class="decision-bar">{children}</div>;
  if (!decisions) return null;
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

function keyHint(verb: AskedVerb) {
  const key = Object.keys(KEYS).find((one) => KEYS[one] === verb);
  return key === undefined ? null : <kbd class="hint">{key}</kbd>;
}
