import { type Json, type JsonObject, LoopError } from 'rsi-loop';
import { canonical, isObject, recordedText } from 'rsi-loop/kit';
import { hashOf } from 'rsi-loop/node';
import { type FrontMatter, readFrontMatter, writeFrontMatter } from './front-matter.js';
import type { SandboxLanguage, SandboxPermissions } from './sandbox.js';
import { screenSkill } from './screen.js';
import {
  isSkillName,
  type SkillCode,
  type SkillContent,
  type SkillFacts,
  type SkillFiles,
  type SkillSummary,
  type SkillText,
} from './skill.js';
import { readTests, writeTests } from './skill-tests.js';

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
 * Reads a skill from its files.
 * @throws LoopError `invalid-input` naming the file and the problem.
 */
export function readSkill(name: string, files: SkillFiles): SkillText {
  const say = (problem: string) => new LoopError('invalid-input', `skill ${name}: ${problem}`);
  const { metadata, body, description } = readHead(name, files, say);
  const content: SkillContent = {
    name,
    description,
    body,
    ...codePart(files, say),
    ...testsPart(name, files),
    ...metadataPart(metadata, say),
  };
  return { ...content, hash: filesHash(files), files };
}

type Say = (problem: string) => LoopError;

function readHead(name: string, files: SkillFiles, say: Say): FrontMatter {
  const markdown = textFile(files, 'SKILL.md');
  if (markdown === undefined) throw say('has no SKILL.md');
  const head = inSkill(name, () => readFrontMatter(markdown));
  if (head.name !== name)
    throw say(`SKILL.md names it ${JSON.stringify(head.name.slice(0, 80))}: name and folder must be equal`);
  if (!isSkillName(name)) throw say('the name must be lowercase letters, digits and single hyphens');
  const description = recordedText(head.description, MAX_DESCRIPTION);
  if (description === '') throw say(`the description is empty: give 1 to ${MAX_DESCRIPTION} characters`);
  return { ...head, description };
}

function testsPart(name: string, files: SkillFiles): Pick<SkillContent, 'input' | 'output' | 'tests'> {
  const tests = textFile(files, 'tests.json');
  return tests === undefined ? { tests: [] } : inSkill(name, () => readTests(tests));
}

function metadataPart(metadata: JsonObject, say: Say): Pick<SkillContent, 'whenNot' | 'asks'> {
  const said = metadata['when-not'];
  const whenNot = typeof said === 'string' ? recordedText(said, MAX_DESCRIPTION) : '';
  const asks = metadata.asks === undefined ? undefined : readPermissions(metadata.asks, say);
  return { ...(whenNot !== '' && { whenNot }), ...(asks && { asks }) };
}

/** Returns a new skill as files, read again. */
export function skillOf(content: SkillContent): SkillText {
  return readSkill(content.name, writeSkill(content));
}

/** Returns the files of a new skill. */
export function writeSkill(content: SkillContent): SkillFiles {
  const { name, description, whenNot, code, asks, body, tests, input, output } = content;
  const metadata: Record<string, string> = {
    ...(whenNot !== undefined && { 'when-not': whenNot }),
    ...(asks && { asks: JSON.stringify(asks) }),
  };
  const files = new Map<string, string | Uint8Array>([
    ['SKILL.md', writeFrontMatter({ name, description, metadata, body })],
  ]);
  const path = Object.keys(LANGUAGES).find((one) => LANGUAGES[one] === code?.language);
  if (code && path !== undefined) files.set(path, code.text);
  if (code || tests.length > 0 || input || output) files.set('tests.json', writeTests(content));
  return files;
}

/** Returns the SHA-256 of all files of a skill, with their paths. The certificate is left out: it names the hash. */
function filesHash(files: SkillFiles): string {
  const parts = [...files].filter(([path]) => path !== CERTIFICATE).map(([path, content]) => [path, hashOf(content)]);
  return hashOf(canonical(parts.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))));
}

/** Returns a skill as lists show it, without facts. */
export function summaryOf(skill: SkillText): Omit<SkillSummary, keyof SkillFacts> {
  const { name, description, whenNot, input, output, hash, asks, code } = skill;
  const hidden = skill.tests.filter((test) => test.hidden).length;
  const suspect = screenSkill(skill);
  return {
    name,
    description,
    hash,
    tests: { open: skill.tests.length - hidden, hidden },
    otherFiles: otherFiles(skill).length,
    ...(whenNot !== undefined && { whenNot }),
    ...(input && { input }),
    ...(output && { output }),
    ...(asks && { asks }),
    ...(code && { language: code.language }),
    ...(suspect !== undefined && { suspect }),
  };
}

/** Returns the paths of the files that this program does not read itself: references, assets, scripts of other programs. */
export function otherFiles({ files, code }: SkillText): readonly string[] {
  const own = ['SKILL.md', 'tests.json', CERTIFICATE, ...(code ? Object.keys(LANGUAGES) : [])];
  return [...files.keys()].filter((path) => !own.includes(path));
}

function codePart(files: SkillFiles, say: Say): { readonly code?: SkillCode } {
  const [path, another] = Object.keys(LANGUAGES).filter((one) => files.has(one));
  // Scripts of other programs may have these names too. Only what has tests is a program of a sandbox.
  if (path === undefined || !files.has('tests.json')) return {};
  if (another !== undefined) throw say(`has ${path} and ${another}: keep one`);
  const language = LANGUAGES[path];
  const content = files.get(path);
  if (language === undefined || content === undefined) return {};
  const text = language === 'wasm' ? bytesOf(content) : textFile(files, path);
  if (text === undefined) throw say(`${path} is not UTF-8`);
  return { code: { language, text } };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** Returns a file as text; `undefined` if there is none, or if it is not UTF-8. */
export function textFile(files: SkillFiles, path: string): string | undefined {
  const content = files.get(path);
  if (content === undefined || typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

function readPermissions(asked: Json, say: Say): SandboxPermissions {
  let value: unknown = asked;
  try {
    if (typeof asked === 'string') value = JSON.parse(asked);
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

/** Adds the name of the skill to a problem with one of its files. */
function inSkill<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    throw new LoopError(error.code, `skill ${name}: ${error.message}`, { cause: error });
  }
}
