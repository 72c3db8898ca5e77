import type { KeptSkill, ListedSkill, SkillDetail } from 'rsi-loop/skills/core';
import type { SkillCertificate, SkillRow, SkillState, SkillsView, SkillVersionRow, SkillView } from '../skill-views.js';
import { shownText } from './shown-text.js';
import type { DataSource, ViewParams } from './source.js';
import { textChanges } from './text-changes.js';

const MAX_SKILLS = 2_000;
const MAX_REJECTED = 100;
const MAX_TESTS = 200;
const MAX_VERSIONS = 500;

export async function skillsView({ skills, loop }: DataSource): Promise<SkillsView> {
  if (!skills) return { skills: [], rejected: [] };
  const list = await skills.list(loop.fixes());
  return {
    folder: skills.name,
    skills: list.skills.slice(0, MAX_SKILLS).map(skillRow),
    rejected: list.rejected.slice(0, MAX_REJECTED).map(({ name, problem }) => ({ name, problem: shownText(problem) })),
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
    body: shownText(body),
    ...(whenNot !== undefined && { whenNot }),
    ...(asks && { asks: shownText(JSON.stringify(asks)) }),
    tests: tests.slice(0, MAX_TESTS).map(({ input, output, hidden }) => ({
      input: shownText(JSON.stringify(input)),
      output: shownText(JSON.stringify(output)),
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
    ...{ name, version, hash: short(hash), state: stateOf(skill) },
    description: shownText(description),
    language: language ?? 'instructions',
    calls: use?.calls ?? 0,
    failures: use?.failures ?? 0,
    ...(reason !== undefined && { reason: shownText(reason) }),
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
  return {
    version: short(version.hash),
    parent: short(parent.hash),
    change: textChanges(textsOf(parent), textsOf(version)),
  };
}

function textsOf({ code, description, whenNot, body, tests, files }: KeptSkill): Readonly<Record<string, string>> {
  const isText = typeof code?.text === 'string';
  return {
    ...(code && { code: isText ? shownText(String(code.text)) : `${code.language}, ${code.text.length} bytes` }),
    'when to use': shownText(description),
    ...(whenNot !== undefined && { 'when not': shownText(whenNot) }),
    instructions: shownText(body),
    tests: shownText(tests.map((test) => JSON.stringify(test)).join('\n')),
    ...Object.fromEntries([...files].flatMap(([path, content]) => otherFile(path, content))),
  };
}

/** Returns a file that is shown under its path: all but those with a row of their own. */
function otherFile(path: string, content: string | Uint8Array): readonly (readonly [string, string])[] {
  if (OWN_ROWS.test(path)) return [];
  return [[path, typeof content === 'string' ? shownText(content) : `${content.length} bytes`]];
}

/** Files whose content has a row of its own. */
const OWN_ROWS = /^(?:SKILL\.md|tests\.json|certificate\.json|scripts\/main\.(?:js|ts|wasm))$/;

function certificateOf({ value, problems }: NonNullable<SkillDetail['certificate']>): SkillCertificate {
  if (!value) return { problems: problems.map(shownText) };
  const { task, fixId, eValue, needed, arms, atMs } = value;
  return { problems: [], facts: { task, fixId, eValue, needed, fix: arms.fix, control: arms.control, atMs } };
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
