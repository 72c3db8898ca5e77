import { type Answer, type Fix, LoopError, type TaskStatistics } from 'rsi-loop';
import {
  askedFixes,
  type DeclaredText,
  type JudgedParts,
  nearestName,
  type PromptIdea,
  showValue,
  textVersions,
} from 'rsi-loop/kit';
import { checkDraft } from './check-draft.js';
import { declaredText, fixesInForce, hasSecret } from './declared-texts.js';
import { promptChange, targetOf } from './prompt-kind.js';
import { isTextFix, textInForce } from './text-in-force.js';
import type { TextTable } from './text-table.js';

/** Parts of a loop, and its named texts. */
interface Components extends JudgedParts {
  readonly texts: TextTable;
}

/**
 * Proposes a person's version of a text, for all failures of a task. It waits for approval like every proposal.
 * @throws LoopError `invalid-input` for an unknown name or task, an unusable draft, and one that failed before.
 */
export async function tryPrompt(components: Components, idea: PromptIdea, { by, reason }: Answer): Promise<Fix> {
  await components.ledger.follow();
  const declared = requireText(idea.name, components);
  const task = requireTask(idea, declared, components);
  const now = textInForce(declared, fixesInForce(components), task.task);
  const problem = checkDraft(idea.text, { base: now.text, hasSecret });
  if (problem !== undefined) throw refused(idea.name, problem);
  if (hasSecret(now.text)) throw refused(idea.name, 'the text in force contains a secret: take it out first');
  mustBeNew(idea, components);
  const change = promptChange({ text: idea.text, by }, task, { declared, now });
  return askedFixes.proposeIdea(components, task, {
    target: targetOf(change),
    change,
    by,
    reason: reason ?? `written by ${by}`,
  });
}

function requireText(name: string, components: Components): DeclaredText {
  const text = declaredText(components, name);
  if (text) return text;
  const names = [...new Set([...components.ledger.state.texts.keys(), ...components.texts.names])];
  const meant = nearestName(name, names);
  const known = names.length > 0 ? `use one of ${names.join(', ')}` : 'the loop of your program declares none yet';
  throw new LoopError(
    'invalid-input',
    `no prompt is called ${showValue(name)}: ${meant ? `did you mean ${meant}?` : known}`,
  );
}

function requireTask(
  { name, task }: PromptIdea,
  { tasks }: DeclaredText,
  { analyzer, clock }: Components,
): TaskStatistics {
  const [only, ...others] = task === undefined ? tasks : [task];
  const say = (problem: string) => new LoopError('invalid-input', `${name} ${problem}`);
  if (only === undefined) throw say('was not read by a task yet: call loop.run(task, ({ prompts }) => ...) first');
  if (others.length > 0) throw say(`is read by ${tasks.join(', ')}: say which of these tasks the trial counts`);
  const found = analyzer.tasks(clock.now()).find((one) => one.task === only);
  if (found) return found;
  const seen = tasks.includes(only) ? `has no outcome of ${only} yet` : `is read by ${tasks.join(', ') || 'no task'}`;
  throw say(`${seen}, so nothing could be compared for ${showValue(only)}`);
}

/** Rejects a version that failed its trial, and one that is proposed or on trial. */
function mustBeNew({ name, text }: PromptIdea, { ledger }: Components): void {
  const version = textVersions.versionOf(text);
  const versions = [...ledger.state.fixes.values()].filter(isTextFix);
  const same = versions.filter(({ change }) => change.name === name && change.version === version);
  const failed = same.find(({ status, verdict }) => status === 'rolled-back' && verdict?.kind === 'failed');
  if (failed) {
    const on = new Date(failed.changedMs).toISOString().slice(0, 10);
    throw refused(
      name,
      `version ${textVersions.shortVersion(version)} failed its trial on ${on}: see rsi explain ${failed.id}`,
    );
  }
  const open = same.find(({ status }) => status === 'approved' || status === 'trial' || status === 'confirmed');
  if (open)
    throw refused(name, `version ${textVersions.shortVersion(version)} is ${open.status}: see rsi explain ${open.id}`);
}

function refused(name: string, problem: string): LoopError {
  return new LoopError('invalid-input', `${name} stays as it is: ${problem}`);
}
