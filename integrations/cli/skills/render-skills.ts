import type { ListedSkill, Skill, SkillCheck, SkillVersion } from 'rsi-loop/skills';
import { whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph, table } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';

const page = (lines: readonly string[]) => `${lines.map((line) => line.trimEnd()).join('\n')}\n`;

/** Renders the skills of a folder, and those that were not read. */
export function listReport(
  skills: readonly ListedSkill[],
  rejected: readonly { readonly name: string; readonly problem: string }[],
  look: Look,
): Report {
  const rows = skills.map((skill) => ({
    cells: [skill.name, stateOf(skill), callsOf(skill), plain(skill.description)],
  }));
  const lines = [
    ...(skills.length === 0 ? ['no skills yet: rsi skill learn <directive> --examples <file>'] : []),
    ...(rows.length > 0
      ? table(
          [{ head: 'skill', max: 32 }, { head: 'state' }, { head: 'calls', align: 'right' }, { head: 'use' }],
          rows,
          look,
        )
      : []),
    ...rejected.flatMap(({ problem }) => paragraph(`not read: ${plain(problem)}`, look)),
  ];
  return { document: { format: 'rsi-skills/1', skills, rejected }, text: page(lines) };
}

/** Renders one skill. Its texts come from a file or a model, and are shown as they are, without control characters. */
export function showReport(skill: Skill, look: Look): Report {
  const { name, version, status, hash, parent, description, whenNot, code, tests, asks, deprecated, files } = skill;
  const hidden = tests.filter((test) => test.hidden).length;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['state', deprecated === undefined ? status : `deprecated: ${plain(deprecated)}`],
    ['version', `${version}, ${hash.slice(0, 12)}${parent === undefined ? '' : ` from ${parent.slice(0, 12)}`}`],
    ['use', plain(description)],
    ['not for', whenNot && plain(whenNot)],
    [
      'code',
      code
        ? `${code.language}, ${whole(code.text.length)} ${typeof code.text === 'string' ? 'characters' : 'bytes'}`
        : 'none: instructions',
    ],
    ['import', code && code.language !== 'wasm' ? `skill:${name}@${hash}` : undefined],
    ['tests', `${tests.length - hidden} open, ${hidden} hidden`],
    ['asks for', asks && plain(JSON.stringify(asks))],
    ['files', plain([...files.keys()].join(', '))],
  ];
  const lines = facts.flatMap(([label, text]) => (text === undefined ? [] : labelled(label, text, look)));
  const body = skill.body
    .split('\n')
    .slice(0, MAX_LINES)
    .map((line) => plain(line));
  const { code: _, files: __, ...rest } = skill;
  const document = {
    format: 'rsi-skill/1',
    ...rest,
    ...(code && { language: code.language }),
    files: [...files.keys()],
  };
  return { document, text: page([look.paint('bold', name), ...lines, '', ...body]) };
}

const MAX_LINES = 200;

/** Renders versions as a tree: children below their parents. */
export function treeReport(versions: readonly SkillVersion[]): Report {
  const known = new Set(versions.map(({ hash }) => hash));
  const childrenOf = (hash: string | undefined, name: string) =>
    versions.filter(
      (one) =>
        one.name === name &&
        (hash === undefined ? one.parent === undefined || !known.has(one.parent) : one.parent === hash),
    );
  const lines: string[] = [];
  const visit = (version: SkillVersion, depth: number) => {
    const { hash, role, status, deprecated, version: number } = version;
    const state = deprecated === undefined ? status : `deprecated: ${plain(deprecated)}`;
    lines.push(`${'  '.repeat(depth + 1)}${number}  ${hash.slice(0, 12)}  ${role}, ${state}`);
    for (const child of childrenOf(hash, version.name))
      if (child !== version && depth < MAX_DEPTH) visit(child, depth + 1);
  };
  for (const name of new Set(versions.map((one) => one.name))) {
    lines.push(name);
    for (const root of childrenOf(undefined, name)) visit(root, 0);
  }
  if (lines.length === 0) lines.push('no versions yet');
  return { document: { format: 'rsi-skill-tree/1', versions }, text: page(lines) };
}

const MAX_DEPTH = 20;

/** Renders checks of skills. */
export function checkReport(checks: readonly SkillCheck[], look: Look): Report {
  const lines = checks.flatMap(({ name, ok, state, problems, notes }) => [
    `${ok ? 'ok      ' : 'problem '} ${name}: ${state}`,
    ...[...problems, ...notes].flatMap((line) => paragraph(plain(line), look, 10)),
  ]);
  return {
    document: { format: 'rsi-skill-check/1', checks },
    text: page(lines.length > 0 ? lines : ['no skills to check']),
  };
}

function stateOf({ status, deprecated, suspect, trusted, proof, language }: ListedSkill): string {
  if (deprecated !== undefined) return 'deprecated';
  if (suspect !== undefined && !trusted) return 'held back';
  if (proof) return proof.status === 'confirmed' ? 'proven' : proof.status;
  return language === undefined ? 'instructions' : status;
}

function callsOf({ use }: ListedSkill): string {
  if (!use || use.calls === 0) return '';
  return use.failures === 0 ? whole(use.calls) : `${whole(use.calls)}, ${whole(use.failures)} failed`;
}
