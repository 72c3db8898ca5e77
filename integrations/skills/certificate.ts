import { type FixOf, type LedgerEntry, LoopError, type SkillChange } from 'rsi-loop';
import type { ArmFigures } from 'rsi-loop/kit';
import { canonical, isObject } from 'rsi-loop/kit';
import { entryHash, hashOf, isLedgerEntry } from 'rsi-loop/node';
import type { LedgerLog } from 'rsi-loop/testing';
import type { Skill, SkillContent, SkillText } from './skill.js';

/** Proof that a version of a skill helped, with everything that is needed to check it offline. */
export interface Certificate {
  readonly format: typeof FORMAT;
  readonly name: string;
  /** Hash of the version that was tried. */
  readonly hash: string;
  readonly parent?: string;
  readonly tests: { readonly open: number; readonly hidden: number; readonly hash: string };
  readonly fixId: string;
  readonly task: string;
  readonly arms: { readonly fix: ArmFigures; readonly control: ArmFigures };
  /** Evidence that the skill lowers the failure rate, and the evidence that was needed. */
  readonly eValue: number;
  readonly needed: number;
  readonly atMs: number;
  /** Entry of the ledger with the verdict, and its place in the chain of hashes. */
  readonly ledger: {
    readonly position: number;
    readonly previous: string;
    readonly entry: string;
    readonly hash: string;
  };
}

const FORMAT = 'rsi-skill-certificate/1';

/**
 * Returns the certificate of a confirmed skill; `undefined` if its ledger has no intact entry with the verdict, for
 * example because the loop keeps it in memory.
 */
export async function certificateOf(
  skill: Skill,
  fix: FixOf<SkillChange>,
  ledger: LedgerLog,
): Promise<Certificate | undefined> {
  const verdict = fix.verdict;
  if (verdict?.kind !== 'confirmed') return undefined;
  const found = await chainEntry(ledger, (entry) => isConfirmation(entry, fix.id));
  if (!found) return undefined;
  const { figures } = verdict;
  const hidden = skill.tests.filter((test) => test.hidden).length;
  return {
    format: FORMAT,
    name: skill.name,
    hash: skill.hash,
    ...(skill.parent !== undefined && { parent: skill.parent }),
    tests: { open: skill.tests.length - hidden, hidden, hash: testsHash(skill) },
    fixId: fix.id,
    task: fix.task,
    arms: { fix: figures.fix, control: figures.control },
    eValue: figures.eHelp,
    needed: figures.needed,
    atMs: verdict.atMs,
    ledger: found,
  };
}

/**
 * Returns the problems of a certificate, checked against the skill and against itself; empty if it holds. It shows that
 * nothing was edited. Only the ledger it names shows that the trial took place: compare the hash of its entry.
 */
export function certificateProblems(skill: SkillText, text: string): readonly string[] {
  const value = read(text);
  if (typeof value === 'string') return [value];
  const { ledger } = value;
  const entry = parsedEntry(ledger.entry);
  const checks: readonly (readonly [boolean, string])[] = [
    [value.name === skill.name, `it is for ${value.name}`],
    [value.hash === skill.hash, 'the skill was changed after its proof'],
    [value.tests.hash === testsHash(skill), 'the tests were changed after the proof'],
    [value.eValue >= value.needed, `its evidence is ${value.eValue}, and ${value.needed} was needed`],
    [entryHash(ledger) === ledger.hash, 'the entry of the ledger does not have the stated hash'],
    [entry !== undefined && isConfirmation(entry, value.fixId), 'the entry of the ledger confirms another fix'],
    [entry !== undefined && agrees(value, entry), 'its figures are not the ones of the ledger'],
  ];
  return checks.flatMap(([holds, problem]) => (holds ? [] : [`certificate: ${problem}`]));
}

/** Returns the certificate if its fields can be read. @throws LoopError `invalid-input` if not. */
export function readCertificate(text: string): Certificate {
  const value = read(text);
  if (typeof value === 'string') throw new LoopError('invalid-input', value);
  return value;
}

/** Returns the hash of the entry at a position of a ledger; `undefined` if its chain is not intact or shorter. */
export async function hashAt(ledger: LedgerLog, position: number): Promise<string | undefined> {
  return (await chainEntry(ledger, (_, at) => at === position))?.hash;
}

function read(text: string): Certificate | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'certificate: it is not JSON';
  }
  if (!isObject(value) || value.format !== FORMAT) return `certificate: it has no "format": "${FORMAT}"`;
  const { tests, ledger, arms, eValue, needed } = value;
  const isWhole =
    isObject(tests) &&
    isObject(arms) &&
    isObject(ledger) &&
    typeof ledger.entry === 'string' &&
    typeof ledger.position === 'number' &&
    typeof ledger.previous === 'string' &&
    typeof eValue === 'number' &&
    typeof needed === 'number';
  return isWhole ? (value as unknown as Certificate) : 'certificate: fields are missing'; // the rest is compared as it is
}

/** Returns an entry of the ledger with its hash, if the chain of hashes ends at the stated head. */
async function chainEntry(
  ledger: LedgerLog,
  isWanted: (entry: LedgerEntry, position: number) => boolean,
): Promise<Certificate['ledger'] | undefined> {
  const head = await ledger.head();
  let previous = '';
  let found: Certificate['ledger'] | undefined;
  for await (const { position, entry } of ledger.read(0, head.length)) {
    const text = JSON.stringify(entry);
    const hash = entryHash({ position, previous, entry: text });
    if (isWanted(entry, position)) found = { position, previous, entry: text, hash };
    previous = hash;
  }
  return previous === head.hash ? found : undefined;
}

function isConfirmation(entry: LedgerEntry, fixId: string): boolean {
  return (
    entry.kind === 'fix-moved' &&
    entry.fixId === fixId &&
    entry.to === 'confirmed' &&
    entry.verdict?.kind === 'confirmed'
  );
}

function agrees({ arms, eValue, needed }: Certificate, entry: LedgerEntry): boolean {
  const figures = entry.kind === 'fix-moved' && entry.verdict?.kind === 'confirmed' ? entry.verdict.figures : undefined;
  if (!figures) return false;
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (
    same(arms, { fix: figures.fix, control: figures.control }) && figures.eHelp === eValue && figures.needed === needed
  );
}

function parsedEntry(text: string): LedgerEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLedgerEntry(value) ? (value as LedgerEntry) : undefined; // checked field by field
  } catch {
    return undefined;
  }
}

function testsHash({ tests, input, output }: SkillContent): string {
  return hashOf(canonical([input ?? null, output ?? null, tests]));
}
