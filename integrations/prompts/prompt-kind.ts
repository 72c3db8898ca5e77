import type { ChangeKind, Fix, FixOf, LedgerEntry, PromptChange, TaskStatistics } from 'rsi-loop';
import {
  type CycleFacts,
  comparing,
  concerning,
  type DeclaredText,
  type PatternFacts,
  type Proposal,
  type SettleFacts,
  textVersions,
} from 'rsi-loop/kit';
import { PromptFiles, type PromptFilesOptions } from './prompt-files.js';
import { reportOnce } from './report-once.js';
import { type TextInForce, textInForce } from './text-in-force.js';
import { fitsVersion } from './text-use.js';
import type { PromptDrafts, PromptQuestion } from './writer.js';

export interface PromptKindOptions extends PromptFilesOptions {
  /** Texts of this process. */
  readonly own: () => Iterable<DeclaredText>;
  /** Returns a text of this process, or else as another process declared it. */
  readonly declared: (name: string) => DeclaredText | undefined;
  /** Recorded words of the failures and the successes of a task, newest first. */
  readonly wordsOf: (task: string) => readonly { readonly kind: 'success' | 'failure'; readonly text: string }[];
  /** Fixes in force. */
  readonly inForce: () => Iterable<Fix>;
  readonly hasSecret: (text: string) => boolean;
  /** Name of this process in the ledger. */
  readonly writer: string;
  /** Undefined without a writer of texts. */
  readonly drafts: PromptDrafts | undefined;
}

/** Creates the kind `prompt`: versions of named texts, handed to tasks and written to their files once confirmed. */
export function promptKind(options: PromptKindOptions): ChangeKind<PromptChange> {
  const { own, declared, inForce } = options;
  const files = new PromptFiles(options);
  const reportSecret = reportOnce(options.report);
  return {
    kind: 'prompt',
    effect: () => ({}), // tasks get the version in `prompts`
    content: ({ name, version }) => ({ prompt: name, version }),
    describe,
    // Two versions of one text exclude each other, and a later one builds on an earlier one.
    sets: ({ name, undo }) => [`${name} ${undo.version}`],
    problem: ({ text, version }) =>
      textVersions.versionOf(text) === version ? undefined : 'its text is not the one of its version',
    canApply: fitsHere(options),
    propose: (facts) => proposals(facts, options),
    unit: ({ unit }) => unit,
    needs: (change, { task }) => whatIsMissing(change, task, declared(change.name), inForce()),
    declare: (known, atMs) =>
      [...own()].flatMap((text) => news(text, known, atMs, { ...options, report: reportSecret })),
    prepare: async (cycle) => options.drafts?.ask(questionsOf(cycle, options)),
    isPreparing: ({ id }) => options.drafts?.isAsking(id) ?? false,
    isWritable: ({ file }) => files.isWritable(file),
    settle: (fix, now) => settle(fix, now, files),
    explain: ({ change }) => ({
      diff: comparing.unifiedDiff(change.undo.text, change.text, change.file ?? change.name),
    }),
    close: () => options.drafts?.close(),
  };
}

/** Tasks that must have been started through the loop before a text can be tried on them. */
const MIN_MANAGED = 20;
/** Share of tasks in sessions from which whole sessions are randomised. */
const IN_SESSIONS = 0.5;

/** Returns the unit for a trial of texts: sessions, if tasks run in sessions. */
export function unitOfTexts({ inSessions, outcomes }: TaskStatistics): PromptChange['unit'] {
  return inSessions >= IN_SESSIONS * outcomes ? 'session' : 'task';
}

/** Returns the change that replaces the text in force for a task. */
export function promptChange(
  draft: Pick<PromptChange, 'text' | 'by' | 'parents'>,
  task: TaskStatistics,
  { declared: { name, file }, now }: { readonly declared: DeclaredText; readonly now: TextInForce },
): PromptChange {
  return {
    kind: 'prompt',
    scope: { task: task.task },
    name,
    version: textVersions.versionOf(draft.text),
    ...draft,
    replaces: now.lineage,
    ...(file !== undefined && { file }),
    unit: unitOfTexts(task),
    undo: { text: now.text, version: now.version },
  };
}

/** Returns the part of a proposal that its id depends on: each version is a fix of its own. */
export function targetOf({ name, version }: Pick<PromptChange, 'name' | 'version'>): string {
  return `${name}@${textVersions.shortVersion(version)}`;
}

function* proposals({ pattern, task }: PatternFacts, options: PromptKindOptions): Generator<Proposal<PromptChange>> {
  for (const draft of options.drafts?.of(pattern.id) ?? []) {
    const declared = options.declared(draft.name);
    const now = declared && textInForce(declared, options.inForce(), task.task);
    if (!now || now.version !== draft.base) continue; // written for a version that is not in force
    const { text, by, parents, why, marks } = draft;
    const change = promptChange({ text, by, ...(parents && { parents }) }, task, { declared, now });
    yield {
      target: targetOf(change),
      change,
      details: () => ({ reason: why, wordedBy: by, marks, evidence: pattern.evidence.slice(0, MAX_EVIDENCE) }),
    };
  }
}

const MAX_EVIDENCE = 10;

/** Returns what a writer is asked: about failures of tasks that read a text, highest impact first. */
function questionsOf({ patterns, tasks, active }: CycleFacts, options: PromptKindOptions): readonly PromptQuestion[] {
  const { own, inForce, wordsOf, hasSecret } = options;
  const texts = [...own()].filter(({ text }) => !hasSecret(text));
  const covered = new Set([...active].map(({ patternId }) => patternId));
  return patterns
    .filter(({ recurring, trend, kind }) => recurring && trend !== 'resolved' && kind === 'failure')
    .filter(({ id, task }) => tasks.has(task) && !covered.has(id))
    .sort((a, b) => b.impact.score - a.impact.score)
    .flatMap((pattern): PromptQuestion[] => {
      const declared = texts.find((text) => text.tasks.includes(pattern.task));
      if (!declared) return [];
      const { name } = declared;
      const { text, version, fixes } = textInForce(declared, inForce(), pattern.task);
      const proven = fixes.map(({ change }) => ({ text: change.text, version: change.version }));
      const words = wordsOf(pattern.task);
      const of = (kind: 'success' | 'failure') => words.filter((one) => one.kind === kind).map((one) => one.text);
      const [failures, successes] = [of('failure').slice(0, MAX_WORDS), of('success').slice(0, MAX_WORDS)];
      return [{ pattern, name, text, version, proven, failures, successes }];
    });
}

const MAX_WORDS = 4;

/** Returns the step that is missing before a trial of the text. */
function whatIsMissing(
  { name, undo, scope, unit }: PromptChange,
  task: TaskStatistics | undefined,
  declared: DeclaredText | undefined,
  inForce: Iterable<Fix>,
): string | undefined {
  const call = `loop.run(${JSON.stringify(scope.task ?? '')}, ({ prompts }) => ...)`;
  if ((task?.managed ?? 0) < MIN_MANAGED) return `call ${call} and send prompts[${JSON.stringify(name)}]`;
  const now = declared && textInForce(declared, inForce, scope.task ?? '');
  if (now && now.version !== undo.version) {
    return `propose it again: it was written for version ${textVersions.shortVersion(undo.version)}, and version ${textVersions.shortVersion(now.version)} of ${name} is in force`;
  }
  const hasSessions = task && unitOfTexts(task) === 'session';
  return unit === 'task' && hasSessions
    ? 'propose it again: its tasks run in sessions, and a session keeps one version'
    : undefined;
}

/** Returns an entry for a text that the ledger does not have in this version, or not with all its tasks. */
function news(
  text: DeclaredText,
  known: ReadonlyMap<string, DeclaredText>,
  atMs: number,
  { hasSecret, writer, report }: PromptKindOptions,
): readonly LedgerEntry[] {
  const before = known.get(text.name);
  const tasks = [...new Set([...(before?.tasks ?? []), ...text.tasks])];
  const isKnown = before?.version === text.version && before.file === text.file;
  if (isKnown && tasks.length === before.tasks.length) return [];
  if (hasSecret(text.text)) {
    report(`${text.name} contains a secret, so its text is not recorded and no version is tried: take the secret out`);
    return [];
  }
  return [{ kind: 'text-declared', atMs, by: writer, ...text, tasks }];
}

/** Writes a text in force into its file, or restores the one before, and returns the entries for that. */
async function settle(
  fix: FixOf<PromptChange>,
  { atMs, isInForce, mayWrite }: SettleFacts,
  files: PromptFiles,
): Promise<readonly LedgerEntry[]> {
  const { id: fixId, written, change } = fix;
  if (!isInForce && written && files.isWritable(written.path)) {
    const isDone = await files.restore(fix, written.path);
    return isDone ? [{ kind: 'change-removed', atMs, by: 'auto', fixId, path: written.path }] : [];
  }
  if (!isInForce || written || !mayWrite || !files.isWritable(change.file)) return [];
  const isDone = await files.write(fix, change.file);
  return isDone ? [{ kind: 'change-written', atMs, by: 'auto', fixId, path: change.file }] : [];
}

/** Returns the check whether this process has a version that a change can replace. Each mismatch is reported once. */
function fitsHere({ own, report }: PromptKindOptions): (change: PromptChange) => boolean {
  const reportMismatch = reportOnce(report);
  return (change) => {
    const { name, version } = change;
    const text = [...own()].find((one) => one.name === name);
    if (!text) return false;
    if (fitsVersion(change, text.version)) return true;
    const is = `this process has version ${textVersions.shortVersion(text.version)} of ${name}`;
    const other = `version ${textVersions.shortVersion(version)} was written for ${textVersions.shortVersion(change.undo.version)}`;
    reportMismatch(`${is}, and ${other}: tasks here keep their own text and are in no trial of it`);
    return false;
  };
}

function describe({ change, written }: FixOf<PromptChange>): ReturnType<ChangeKind['describe']> {
  const { name, version, text, undo, by, unit, file, scope } = change;
  const size = `${text.length} characters, was ${undo.text.length}`;
  const place = file === undefined ? '' : ', and the next cycle of a loop with a workspace writes it to its file';
  const before = `version ${textVersions.shortVersion(undo.version)}`;
  return {
    title: `text ${name}: version ${textVersions.shortVersion(version)} by ${by} (${size})${concerning.scopeInWords(scope)}`,
    undo: `restores ${before} of ${name}`,
    inForce: written ? `the text is in ${written.path}` : `every ${unit} that begins gets the text${place}`,
    rolledBack: written ? `the next cycle restores ${before} in ${written.path}` : `tasks get ${before} again`,
  };
}
