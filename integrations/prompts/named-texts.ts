import { type Answer, type ArmAssignment, type Fix, type JournalRecord, LoopError, type Prompts } from 'rsi-loop';
import {
  type ActiveFixes,
  concerning,
  isObject,
  judgedParts,
  type LoopHandle,
  type LoopParts,
  type PromptIdea,
  type PromptsOption,
  partsOf,
  showValue,
  type TaskStart,
  type TaskTexts,
  type TextReader,
} from 'rsi-loop/kit';
import { declaredText, fixesInForce, hasSecret, ownTexts } from './declared-texts.js';
import { type PromptKindOptions, promptKind } from './prompt-kind.js';
import { SessionsBegun } from './sessions-begun.js';
import { isTextFix } from './text-in-force.js';
import { type PromptText, TextTable } from './text-table.js';
import { effectOf } from './text-use.js';
import { tryPrompt } from './try-prompt.js';
import { stepsOf, type TextFix, textsOf, withoutEarlier } from './versions-of-task.js';
import type { PromptDrafting, PromptDrafts } from './writer.js';

/** Options of the named texts of a loop. */
export interface NamedTextsOptions {
  /** Drafts versions from recorded failures: `promptWriter(...)` or `draftsBy(...)`. Default: only people propose versions. */
  readonly writer?: PromptDrafting;
}

/**
 * Returns the option `prompts` of a loop: your texts by name, such as system prompts. Tasks get them in `prompts`.
 * Approved versions are compared with them, and confirmed ones are written into their files.
 * @throws LoopError `invalid-input` for what is no object of texts. The loop checks each text.
 */
export function namedTexts(
  texts: Readonly<Record<string, PromptText>> = {},
  options: NamedTextsOptions = {},
): PromptsOption {
  if (!isObject(texts)) throw new LoopError('invalid-input', `namedTexts got ${showValue(texts)}: give ${EXPECTED}`);
  const { writer } = options;
  if (writer !== undefined && typeof writer.open !== 'function') {
    const say = 'give promptWriter(...) or draftsBy(...)';
    throw new LoopError('invalid-input', `writer is ${showValue(writer)}: ${say}`);
  }
  return { open: (loop: LoopHandle) => void new LoopTexts(loop, texts, options) };
}

const EXPECTED = "an object of texts, such as { 'support.system': { text, file: 'prompts/system.md' } }";

/** Returns the named texts of a loop, which may have none so far. */
export function textsIn(loop: LoopHandle): LoopTexts {
  // Only this file fills the place.
  return (partsOf(loop).prompts.texts as LoopTexts | undefined) ?? new LoopTexts(loop);
}

/** Named texts of one loop, and the versions of them that each task gets. */
export class LoopTexts implements TaskTexts {
  readonly table: TextTable;
  readonly sessions = new SessionsBegun(() => !this.table.isEmpty);
  readonly #loop: LoopHandle;
  readonly #writer: PromptDrafting | undefined;
  #drafts: { readonly of: LoopParts['ledger']; readonly drafts: PromptDrafts } | undefined;
  /** Versions that tasks may get, as of the decisions that were seen last. */
  #seen: { readonly active: ActiveFixes; readonly texts: readonly TextFix[] } | undefined;

  constructor(loop: LoopHandle, texts?: Readonly<Record<string, PromptText>>, { writer }: NamedTextsOptions = {}) {
    this.table = new TextTable(texts);
    this.#loop = loop;
    this.#writer = writer;
    const { prompts, companionKinds } = this.#parts;
    prompts.texts = this;
    companionKinds.set('prompt', promptKind(this.#ports()));
  }

  get #parts(): LoopParts {
    return partsOf(this.#loop);
  }

  get isEmpty(): boolean {
    return this.table.isEmpty;
  }

  arms(
    arms: readonly ArmAssignment[],
    { session, atMs }: Pick<TaskStart, 'session' | 'atMs'>,
    active: ActiveFixes,
  ): readonly ArmAssignment[] {
    if (session === undefined) return arms;
    return withoutEarlier(arms, this.#versions(active), this.sessions.note(session, atMs));
  }

  of({ task, scope, session, atMs }: TaskStart, arms: readonly ArmAssignment[], active: ActiveFixes): Prompts {
    if (this.table.isEmpty) return this.table.lookup(task);
    const beganMs = session === undefined ? undefined : this.sessions.note(session, atMs);
    return this.table.lookup(task, textsOf(this.#versions(active), { scope, arms, session, beganMs }), session);
  }

  taskOf(name: string): string | undefined {
    return this.table.tasksOf(name)[0];
  }

  /** A session that never started a task counts as beginning. */
  read(name: string, { scope, session, atMs }: TextReader, active: ActiveFixes): string {
    const texts = this.#versions(active);
    if (session === undefined) return this.table.read(name, textsOf(texts, { scope, arms: [] })).text;
    const beganMs = this.sessions.of(session) ?? atMs;
    const bySession = active.trials.filter(({ unit }) => unit === 'session');
    const arms = withoutEarlier(concerning.assignArms(bySession, { session, scope, atMs }), texts, beganMs);
    return this.table.read(name, textsOf(texts, { scope, arms, session, beganMs }), session).text;
  }

  propose(idea: PromptIdea, answer: Answer): Promise<Fix> {
    return tryPrompt({ ...judgedParts(this.#loop), texts: this.table }, idea, answer);
  }

  absorb(records: readonly JournalRecord[]): void {
    this.sessions.absorb(records);
  }

  #versions(active: ActiveFixes): readonly TextFix[] {
    if (this.#seen?.active === active) return this.#seen.texts;
    const { ledger } = this.#parts;
    const texts = active.usable
      .filter(isTextFix)
      .map((fix) => ({ fix, text: effectOf(fix.change), steps: stepsOf(ledger.historyOf(fix.id)) }));
    this.#seen = { active, texts };
    return texts;
  }

  #report(message: string): void {
    this.#parts.report({ where: 'prompts', message });
  }

  /** Drafts of the writer. Those from before the store was read again may hold erased text, and are dropped. */
  #draftsNow(): PromptDrafts | undefined {
    const { ledger, clock } = this.#parts;
    if (this.#writer === undefined || this.#drafts?.of === ledger) return this.#drafts?.drafts;
    this.#drafts?.drafts.close();
    const drafts = this.#writer.open({ clock, hasSecret, report: (message) => this.#report(message) });
    this.#drafts = { of: ledger, drafts };
    return drafts;
  }

  /** Returns what the kind asks, so that it always sees the parts of the loop as they are now. */
  #ports(): PromptKindOptions {
    const parts = () => this.#parts;
    const drafts = () => this.#draftsNow();
    return {
      hasSecret,
      report: (message) => this.#report(message),
      own: () => ownTexts(this.table),
      declared: (name) => declaredText({ texts: this.table, ledger: parts().ledger }, name),
      inForce: () => fixesInForce(parts()),
      wordsOf: (task) => judgedParts(this.#loop).experience.library.about({ task }),
      get writer() {
        return parts().store.journal.writer;
      },
      get workspace() {
        return parts().workspace;
      },
      get drafts() {
        return drafts();
      },
    };
  }
}
