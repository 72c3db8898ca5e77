import type { Fix, Json, JsonObject } from 'rsi-loop';
import { fixRow } from '../../reports/fix-row.js';
import { signaturesOf, signatureWords } from '../../reports/signatures.js';
import type { FixView } from '../fix-views.js';
import type { DataSource, ViewParams } from './source.js';

/** e-values at which a fix is rolled back for harm, and for no useful effect; see docs/verify.md. */
const HARM = 20;
const NO_EFFECT = 10;
/** e-value that confirms the first attempt without a budget over several trials. */
const CONFIRMED = 20;

/** @throws LoopError `unknown-fix` */
export async function fixView(source: DataSource, { id = '' }: ViewParams): Promise<FixView> {
  const { loop } = source;
  const explanation = loop.explain(id);
  const { fix } = explanation;
  const lines = { confirmed: fix.trial ? 1 / fix.trial.alpha : CONFIRMED, harm: HARM, noEffect: NO_EFFECT };
  const signatures = signaturesOf(explanation.history)?.map(signatureWords);
  const followed = (await source.followed.of()).get(fix.id);
  const points = loop.verifier.course(fix.id);
  return {
    row: fixRow(loop, fix),
    explanation,
    ...(signatures && { signatures }),
    ...(followed && { followed }),
    points,
    lines,
    change: changesOf(fix),
  };
}

function changesOf({ change }: Fix): FixView['change'] {
  if ('version' in change) return [{ name: change.name, before: change.undo.text, after: change.text }];
  if ('hash' in change) return [{ name: change.name, before: null, after: change.description }];
  if ('text' in change) return [{ name: change.file, before: null, after: change.text }];
  return beforeAndAfter(change.undo, 'set' in change ? change.set : change.content);
}

function beforeAndAfter(before: JsonObject, after: JsonObject): FixView['change'] {
  const at = (values: JsonObject, name: string): Json => values[name] ?? null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].map((name) => ({ name, before: at(before, name), after: at(after, name) }));
}
