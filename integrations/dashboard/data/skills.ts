import { redact } from 'rsi-loop';
import type { KeptSkill, ListedSkill, SkillDetail } from 'rsi-loop/skills/core';
import type { TextChange } from '../bench-views.js';
import type { SkillCertificate, SkillRow, SkillState, SkillsView, SkillVersionRow, SkillView } from '../skill-views.js';
import type { DataSource, ViewParams } from './source.js';

const MAX_SKILLS = 2_000;
const MAX_REJECTED = 100;
const MAX_TESTS = 200;
const MAX_VERSIONS = 500;
/** Longest text that is sent. */
const MAX_CHARACTERS = 20_000;

export async function skillsView({ skills, loop }: DataSource): Promise<SkillsView> {
  if (!skills) return { skills: [], rejected: [] };
  const list = await skills.list(loop.fixes());
  return {
    folder: skills.name,
    skills: list.skills.slice(0, MAX_SKILLS).map(skillRow),
    rejected: list.rejected.slice(0, MAX_REJECTED),
  };
}

export async function skillView(
  { skills, loop }: DataSource,
  { id = '', version }: ViewParams,
): Promise<SkillView | undefined> {
  const detail = await skills?.read(id, loop.fixes());
  const current = detail?.versions.find(({ role }) => role === 'current');
  if (!detail || !current) return undefined;
  const { whenNot, body, asks, tests } = current;
  const compared = comparedOf(detail, version);
  return {
    row: skillRow(detail.listed),
    body: shown(body),
    ...(whenNot !== undefined && { whenNot }),
    ...(asks && { asks: shown(JSON.stringify(asks)) }),
    tests: tests.slice(0, MAX_TESTS).map(({ input, output, hidden }) => ({
      input: shown(JSON.stringify(input)),
      output: shown(JSON.stringify(output)),
      hidden,
    })),
    omitted: Math.max(0, tests.length - MAX_TESTS),
    versions: treeOf(detail.versions).slice(0, MAX_VERSIONS),
    ...(compared && { compared }),
    ...(detail.certificate && { certificate: certificateOf(detail.certificate) }),
  };
}

function skillRow(skill: ListedSkill): SkillRow {
  const { name, description, version, hash, parent, use, proof, deprecated, suspect, language } = skill;
  const reason = deprecated ?? suspect;
  return {
    ...{ name, description, version, hash: short(hash), state: stateOf(skill) },
    language: language ?? 'instructions',
    calls: use?.calls ?? 0,
    failures: use?.failures ?? 0,
    ...(reason !== undefined && { reason: shown(reason) }),
    ...(parent !== undefined && { parent: short(parent) }),
    ...(use?.lastMs !== undefined && { lastMs: use.lastMs }),
    ...(proof && { proof }),
  };
}

function stateOf(skill: Pick<ListedSkill, 'status' | 'deprecated' | 'suspect' | 'language'>): SkillState {
  if (skill.deprecated !== undefined) return 'deprecated';
  if (skill.suspect !== undefined) return 'held back';
  return skill.language === undefined ? 'instructions' : skill.status;
}

/** Returns the versions with children below their parents. */
function treeOf(versions: readonly KeptSkill[]): readonly SkillVersionRow[] {
  const hashes = new Set(versions.map(({ hash }) => hash));
  const isRoot = ({ parent, hash }: KeptSkill) => parent === undefined || parent === hash || !hashes.has(parent);
  const seen = new Set<string>();
  const below = (version: KeptSkill, depth: number): readonly SkillVersionRow[] => {
    // Files of others may name each other as parents.
    if (seen.has(version.hash)) return [];
    seen.add(version.hash);
    const { hash, role, code } = version;
    const state = stateOf({ ...version, ...(code && { language: code.language }) });
    const children = versions.filter(({ parent }) => parent === hash);
    const row = { version: version.version, hash: short(hash), depth, role, state };
    return [row, ...children.flatMap((child) => below(child, depth + 1))];
  };
  return [...versions.filter(isRoot), ...versions].flatMap((version) => below(version, 0));
}

function comparedOf({ versions }: SkillDetail, asked: string | undefined): SkillView['compared'] {
  const version = versions.find(({ hash }) => short(hash) === asked) ?? versions.find(({ role }) => role === 'current');
  const parent = versions.find(({ hash }) => hash === version?.parent);
  if (!version || !parent) return undefined;
  return { version: short(version.hash), parent: short(parent.hash), change: changesOf(parent, version) };
}

/** Returns the texts that differ between two versions. */
function changesOf(before: KeptSkill, after: KeptSkill): readonly TextChange[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  return Object.keys({ ...old, ...now }).flatMap((name) => {
    const [left, right] = [old[name] ?? null, now[name] ?? null];
    return left === right ? [] : [{ name, before: left, after: right }];
  });
}

function textsOf({ code, description, whenNot, body, tests, references }: KeptSkill): Readonly<Record<string, string>> {
  const isText = typeof code?.text === 'string';
  return {
    ...(code && { code: isText ? shown(String(code.text)) : `${code.language}, ${code.text.length} bytes` }),
    'when to use': shown(description),
    ...(whenNot !== undefined && { 'when not': shown(whenNot) }),
    instructions: shown(body),
    tests: shown(tests.map((test) => JSON.stringify(test)).join('\n')),
    ...Object.fromEntries(Object.entries(references).map(([name, text]) => [`references/${name}`, shown(text)])),
  };
}

function certificateOf({ value, problems }: NonNullable<SkillDetail['certificate']>): SkillCertificate {
  if (!value) return { problems: problems.map(shown) };
  const { task, fixId, eValue, needed, arms, atMs } = value;
  return { problems: [], facts: { task, fixId, eValue, needed, fix: arms.fix, control: arms.control, atMs } };
}

function short(hash: string): string {
  return hash.slice(0, 12);
}

function shown(text: string): string {
  return redact(text).slice(0, MAX_CHARACTERS);
}
