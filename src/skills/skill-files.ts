import { LoopError } from '../contract/errors.js';
import type { SandboxLanguage, SandboxPermissions } from '../contract/sandbox.js';
import { findSuspect } from '../fix/check-rule.js';
import { canonical } from '../lib/canonical.js';
import { isObject } from '../lib/is-object.js';
import { recordedText } from '../lib/recorded-text.js';
import { hashOf } from '../node/hash-of.js';
import { type FrontMatter, readFrontMatter, writeFrontMatter } from './front-matter.js';
import {
  isSkillName,
  type Skill,
  type SkillCode,
  type SkillContent,
  type SkillRecord,
  type SkillStatus,
  type SkillSummary,
} from './skill.js';
import { readTests, writeTests } from './skill-tests.js';

/** Files of a skill by path, with `/`. Bytes for WebAssembly, text otherwise. */
export type SkillFiles = ReadonlyMap<string, string | Uint8Array>;

/** Longest description of the Agent Skills standard. */
export const MAX_DESCRIPTION = 1_024;

export const LANGUAGES: Readonly<Record<string, SandboxLanguage>> = {
  'scripts/main.js': 'javascript',
  'scripts/main.ts': 'typescript',
  'scripts/main.wasm': 'wasm',
};
/** Proof of a skill. It travels with the files, and no hash covers it. */
export const CERTIFICATE = 'certificate.json';

/**
 * Reads a skill from its files. Its status counts only if the files still have the hash that was tested.
 * @throws LoopError `invalid-input` naming the file and the problem.
 */
export function readSkill(name: string, files: SkillFiles): Skill {
  const say = (problem: string) => new LoopError('invalid-input', `skill ${name}: ${problem}`);
  const { metadata, otherFields, body, description } = readHead(name, files, say);
  const content: SkillContent = {
    name,
    description,
    body,
    ...codePart(files, say),
    ...testsPart(name, files),
    ...metadataPart(metadata, say),
    references: referencesOf(files),
  };
  const hash = contentHash(content);
  return { ...content, hash, ...recordOf(metadata, hash), otherFields };
}

type Metadata = Readonly<Record<string, string>>;
type Say = (problem: string) => LoopError;

/** Metadata that this program writes. Others are kept as they are. */
const OWN_METADATA = ['version', 'content-hash', 'status', 'parent', 'deprecated', 'when-not', 'asks'];

function readHead(name: string, files: SkillFiles, say: Say): FrontMatter {
  const markdown = textFile(files, 'SKILL.md');
  if (markdown === undefined) throw say('has no SKILL.md');
  const head = inSkill(name, () => readFrontMatter(markdown));
  if (head.name !== name)
    throw say(`SKILL.md names it ${JSON.stringify(head.name.slice(0, 80))}: name and folder must be equal`);
  if (!isSkillName(name)) throw say('the name must be lowercase letters, digits and single hyphens');
  const description = recordedText(head.description, 4 * MAX_DESCRIPTION);
  if (description === '' || description.length > MAX_DESCRIPTION)
    throw say(`the description has ${description.length} characters: give 1 to ${MAX_DESCRIPTION}`);
  return { ...head, description };
}

function testsPart(name: string, files: SkillFiles): Pick<SkillContent, 'input' | 'output' | 'tests'> {
  const tests = textFile(files, 'tests.json');
  return tests === undefined ? { tests: [] } : inSkill(name, () => readTests(tests));
}

function metadataPart(metadata: Metadata, say: Say): Pick<SkillContent, 'whenNot' | 'asks'> {
  const whenNot = recordedText(metadata['when-not'] ?? '', MAX_DESCRIPTION);
  const asks = metadata.asks === undefined ? undefined : readPermissions(metadata.asks, say);
  return { ...(whenNot !== '' && { whenNot }), ...(asks && { asks }) };
}

function recordOf(metadata: Metadata, hash: string): Omit<SkillRecord, 'otherFields'> {
  const version = Number(metadata.version ?? 1);
  const others = Object.entries(metadata).filter(([key]) => !OWN_METADATA.includes(key));
  return {
    version: Number.isInteger(version) && version > 0 ? version : 1,
    status: metadata['content-hash'] === hash ? statusOf(metadata.status) : 'untested',
    ...(isHash(metadata.parent) && { parent: metadata.parent }),
    ...(metadata.deprecated !== undefined && { deprecated: recordedText(metadata.deprecated, 500) }),
    otherMetadata: Object.fromEntries(others),
  };
}

/** Returns the files of a skill. The front matter holds its hash, so that a later edit is noticed. */
export function writeSkill(skill: Skill): SkillFiles {
  const { name, description, whenNot, code, asks, body, otherFields, tests, input, output, references } = skill;
  const metadata: Record<string, string> = {
    version: String(skill.version),
    'content-hash': skill.hash,
    status: skill.status,
    ...(skill.parent !== undefined && { parent: skill.parent }),
    ...(skill.deprecated !== undefined && { deprecated: skill.deprecated }),
    ...(whenNot !== undefined && { 'when-not': whenNot }),
    ...(asks && { asks: JSON.stringify(asks) }),
    ...skill.otherMetadata,
  };
  const files = new Map<string, string | Uint8Array>([
    ['SKILL.md', writeFrontMatter({ name, description, metadata, otherFields, body })],
  ]);
  const path = Object.keys(LANGUAGES).find((one) => LANGUAGES[one] === code?.language);
  if (code && path !== undefined) files.set(path, code.text);
  if (tests.length > 0 || input || output) files.set('tests.json', writeTests(skill));
  for (const [at, text] of Object.entries(references)) files.set(at, text);
  return files;
}

/** Returns the SHA-256 of everything that makes up a skill. Its status, version and ancestry are left out. */
export function contentHash({
  name,
  description,
  whenNot,
  body,
  code,
  input,
  output,
  tests,
  asks,
  references,
}: SkillContent): string {
  const inside = [
    name,
    description,
    whenNot ?? '',
    body.trim(),
    code ? [code.language, hashOf(code.text)] : null,
    input ?? null,
    output ?? null,
    tests.map((test) => [test.input, test.output, test.hidden]),
    asks ?? null,
    Object.entries(references).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  // Programs that format JSON may sort its members.
  return hashOf(canonical(inside));
}

/** Returns the skill with its hash and other status, as it is to be written. */
export function stamped(content: SkillContent, record: SkillRecord): Skill {
  return { ...content, ...record, hash: contentHash(content) };
}

export function summaryOf(skill: Skill): SkillSummary {
  const { name, description, whenNot, input, output, version, hash, parent, status, deprecated, asks, code } = skill;
  const hidden = skill.tests.filter((test) => test.hidden).length;
  const suspect = suspectIn(description) ?? suspectIn(whenNot ?? '');
  return {
    name,
    description,
    version,
    hash,
    status,
    tests: { open: skill.tests.length - hidden, hidden },
    ...(whenNot !== undefined && { whenNot }),
    ...(input && { input }),
    ...(output && { output }),
    ...(parent !== undefined && { parent }),
    ...(deprecated !== undefined && { deprecated }),
    ...(asks && { asks }),
    ...(code && { language: code.language }),
    ...(suspect !== undefined && { suspect }),
  };
}

/** Returns why a description must not reach an agent. Addresses and names of commands are common in descriptions. */
function suspectIn(text: string): string | undefined {
  for (const sentence of text.split(/[.!?:;]+/)) {
    const plain = sentence.replace(/[^\p{L}\p{M}\s,'’]+/gu, ' ').replace(COMMANDS, ' ');
    const found = findSuspect(plain);
    if (found !== undefined && !/an act that cannot be undone|address/.test(found)) return found;
  }
  return undefined;
}

const COMMANDS =
  /\b(?:rm|sudo|chmod|chown|curl|wget|eval|exec|base|powershell|bash|sh|drop|delete|import|npm|pip|git)\b/gi;

function codePart(files: SkillFiles, say: Say): { readonly code?: SkillCode } {
  const [path, another] = Object.keys(LANGUAGES).filter((one) => files.has(one));
  if (another !== undefined) throw say(`has ${path} and ${another}: keep one`);
  const language = path === undefined ? undefined : LANGUAGES[path];
  const text = path === undefined ? undefined : files.get(path);
  if (language === undefined || text === undefined) return {};
  if ((language === 'wasm') === (typeof text === 'string')) throw say(`${path} was not read as it must be`);
  return { code: { language, text } };
}

function referencesOf(files: SkillFiles): Readonly<Record<string, string>> {
  const found = [...files].filter(
    (file): file is [string, string] => file[0].startsWith('references/') && typeof file[1] === 'string',
  );
  return Object.fromEntries(found);
}

function textFile(files: SkillFiles, path: string): string | undefined {
  const text = files.get(path);
  return typeof text === 'string' ? text : undefined;
}

function readPermissions(text: string, say: Say): SandboxPermissions {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw say('metadata asks is not JSON: write {"hosts":["api.example.com"]} in quotes');
  }
  if (!isObject(value)) throw say('metadata asks is not an object');
  for (const [name, list] of Object.entries(value)) {
    const isKnown = name === 'hosts' || name === 'read' || name === 'write';
    const isList =
      Array.isArray(list) && list.length <= 50 && list.every((one) => typeof one === 'string' && one.length <= 500);
    if (!isKnown || !isList)
      throw say(`metadata asks has ${JSON.stringify(name.slice(0, 40))}: use lists of hosts, read and write`);
  }
  return value as SandboxPermissions; // checked above
}

function statusOf(text: string | undefined): SkillStatus {
  return text === 'working' || text === 'failed' ? text : 'untested';
}

function isHash(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}

/** Adds the name of the skill to a problem with one of its files. */
function inSkill<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    throw new LoopError(error.code, `skill ${name}: ${error.message}`, { cause: error });
  }
}
