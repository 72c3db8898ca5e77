import { OUTCOME_FIELDS, type Outcome, type OutcomeField } from '../contract/outcome.js';
import { readTyped } from './read-field.js';

/** Outcome that may still be written to. */
export type Draft = { -readonly [Name in keyof Outcome]: Outcome[Name] };

/** Sets one field of the draft, if callers may state it and its value is of the field's own type. */
export function setField(draft: Draft, key: string, value: unknown): boolean {
  const field = STATED[key];
  const read = field && readTyped(field, value);
  if (read === undefined) return false;
  store(draft, key, read as never);
  return true;
}

/** Stores a value that was read for this field. Frequent fields have a fixed name here, which is several times faster. */
function store(draft: Draft, key: string, value: never): void {
  switch (key) {
    case 'session':
      draft.session = value;
      return;
    case 'agent':
      draft.agent = value;
      return;
    case 'model':
      draft.model = value;
      return;
    case 'tool':
      draft.tool = value;
      return;
    case 'durationMs':
      draft.durationMs = value;
      return;
    case 'tokens':
      draft.tokens = value;
      return;
    case 'costUsd':
      draft.costUsd = value;
      return;
    default:
      (draft as Record<string, unknown>)[key] = value;
  }
}

const STATED = /* @__PURE__ */ statedFields();

/** Returns the fields that callers state. An object without prototype is looked up faster than a `Map`. */
function statedFields(): Readonly<Record<string, OutcomeField | undefined>> {
  const stated: Record<string, OutcomeField> = Object.create(null);
  for (const [name, field] of Object.entries<OutcomeField>(OUTCOME_FIELDS)) {
    if (field.setBy === undefined && name !== 'success' && name !== 'error') stated[name] = field;
  }
  return stated;
}
