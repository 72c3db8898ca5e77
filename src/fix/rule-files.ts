import type { RuleChange, RuleFile } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Workspace, WorkspaceFile } from '../contract/workspace.js';
import { messageOf } from '../lib/text.js';
import { unifiedDiff } from '../lib/unified-diff.js';
import { rulesIn } from './compare-rules.js';
import { type RulePaths, readRulePaths } from './rule-paths.js';
import { addRule, listRules, removeRule, type SectionEdit } from './rules/edit-section.js';
import type { WrittenRule } from './rules/rule-line.js';

export interface RuleFilesOptions {
  /** Without one nothing is ever written: rules are handed out as advice. */
  readonly workspace?: Workspace;
  /** Over the usual ones; other names may be added. */
  readonly paths?: RulePaths;
  readonly report: (message: string) => void;
}

const NONE: readonly string[] = [];
/** How much a rule is worth keeping when the section is full; the lowest makes room. */
type Usefulness = (rule: WrittenRule) => number;

/** What became of a rule that should stand in its file, or no longer stand in it. */
export type FileResult =
  | { readonly kind: 'done'; readonly path: string; readonly retired: readonly FixId[] }
  /** It was said why, and the next cycle tries again. */
  | { readonly kind: 'not-now' }
  /** There is no such file for rules: it stays advice. */
  | { readonly kind: 'nowhere' };

/** A rule that stands, or is to stand, in a file. */
export type FiledFix = Pick<Fix, 'id' | 'written'> & { readonly change: RuleChange };

/** Writes rules into the files of an agent and takes them out again, and knows what stands in those files. */
export class RuleFiles {
  readonly #options: RuleFilesOptions;
  readonly #paths: RulePaths;
  readonly #files = new Map<string, WorkspaceFile>();
  /** Rules that stand in a file, for as long as it holds the same. */
  readonly #rules = new WeakMap<WorkspaceFile, readonly string[]>();
  /** Said once, until it changes. */
  readonly #told = new Map<string, string>();

  constructor(options: RuleFilesOptions) {
    this.#options = options;
    this.#paths = readRulePaths(options.paths);
  }

  /** Names of the files that a rule may be meant for. */
  get names(): readonly RuleFile[] {
    return Object.keys(this.#paths);
  }

  /** Whether rules of this file can be written at all. */
  isWritable(file: RuleFile): boolean {
    const path = this.#paths[file];
    return path !== undefined && (this.#options.workspace?.files.includes(path) ?? false);
  }

  /** Reads the files again, as people edit them too. */
  async refresh(): Promise<void> {
    const { workspace } = this.#options;
    if (!workspace) return;
    for (const path of new Set(Object.values(this.#paths))) {
      if (!workspace.files.includes(path)) continue;
      try {
        const file = await workspace.read(path);
        this.#files.set(path, file);
        this.#settled(path);
      } catch (error) {
        this.#files.delete(path);
        this.#tell(path, `${path} cannot be read: ${messageOf(error)}`);
      }
    }
  }

  /** Rules that stand in a file when it was last read, whoever wrote them. */
  existing(file: RuleFile): readonly string[] {
    const read = this.#files.get(this.#paths[file] ?? '');
    if (read?.text === undefined) return NONE;
    const rules = this.#rules.get(read) ?? rulesIn(read.text);
    this.#rules.set(read, rules);
    return rules;
  }

  /** Whether a rule that was written stands there no more, because somebody took it out. Undefined: not known now. */
  isGone({ id, written }: FiledFix): boolean | undefined {
    const file = written && this.#files.get(written.path);
    const listed = file && listRules(file.text);
    if (listed?.kind !== 'rules') return undefined;
    return !listed.rules.some((rule) => rule.id === id);
  }

  /** What writing the rule would change in its file, or taking it out where it stands there. */
  diff(fix: FiledFix, nowMs: number, usefulness: Usefulness): string {
    const path = fix.written?.path ?? this.#paths[fix.change.file] ?? fix.change.file;
    const before = this.#files.get(path)?.text;
    const edit = fix.written ? removeRule(before, fix.id) : addRule(before, lineOf(fix, nowMs), { usefulness });
    return edit.kind === 'edited' ? unifiedDiff(before, edit.text, path) : '';
  }

  write(fix: FiledFix, nowMs: number, usefulness: Usefulness): Promise<FileResult> {
    return this.#edit(fix, this.#paths[fix.change.file], (text) => addRule(text, lineOf(fix, nowMs), { usefulness }));
  }

  remove(fix: FiledFix): Promise<FileResult> {
    return this.#edit(fix, fix.written?.path, (text) => removeRule(text, fix.id));
  }

  async #edit(
    { id }: FiledFix,
    path: string | undefined,
    change: (text: string | undefined) => SectionEdit,
  ): Promise<FileResult> {
    const { workspace } = this.#options;
    if (!workspace || path === undefined || !workspace.files.includes(path)) return { kind: 'nowhere' };
    try {
      const before = await workspace.read(path);
      this.#files.set(path, before);
      const edit = change(before.text);
      if (edit.kind === 'refused') return this.#later(id, `rule ${id} and ${path}: ${edit.message}`);
      if (edit.kind === 'unchanged') return this.#done(id, path, []);
      const result = await workspace.write(path, edit.text, before.hash);
      this.#files.set(path, result.file);
      if (result.kind === 'conflict')
        return this.#later(id, `${path} was changed meanwhile: rule ${id} is tried again`);
      return this.#done(
        id,
        path,
        edit.retired.map((rule) => rule.id as FixId), // rules are written under the ids of their fixes
      );
    } catch (error) {
      return this.#later(id, `rule ${id} and ${path}: ${messageOf(error)}`);
    }
  }

  #done(id: string, path: string, retired: readonly FixId[]): FileResult {
    this.#settled(id);
    return { kind: 'done', path, retired };
  }

  #later(id: string, message: string): FileResult {
    this.#tell(id, message);
    return { kind: 'not-now' };
  }

  #tell(about: string, message: string): void {
    if (this.#told.get(about) === message) return;
    this.#told.set(about, message);
    this.#options.report(message);
  }

  #settled(about: string): void {
    this.#told.delete(about);
  }
}

function lineOf({ id, change }: FiledFix, nowMs: number): WrittenRule {
  return {
    id,
    text: change.text,
    date: new Date(nowMs).toISOString().slice(0, 10),
    evidence: `rsi explain ${id}`,
  };
}
