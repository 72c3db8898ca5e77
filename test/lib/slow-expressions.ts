import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
/** More than any text that is kept, and than most that is read. */
const LENGTH = 20_000;
/** Time that every expression may take for a text of that length. A longer time is measured again. */
const MOST_MS = 20;

interface Expression {
  readonly where: string;
  readonly pattern: RegExp;
}

/** Runs every regular expression of the package over texts made of its own parts, repeated. Work has to grow with the length. */
export async function slowExpressions(): Promise<{
  readonly cases: number;
  readonly expressions: number;
  readonly slowestMs: number;
  readonly broken: readonly string[];
}> {
  const broken: string[] = [];
  let cases = 0;
  let slowestMs = 0;
  const expressions = [...literals(), ...(await constructed())];
  for (const { where, pattern } of expressions) {
    for (const text of textsAgainst(pattern)) {
      cases++;
      const part = firstSlowPart(pattern, text);
      const tookMs = timeOf(pattern, part);
      slowestMs = Math.max(slowestMs, tookMs);
      if (part === text && (tookMs <= MOST_MS || !growsWithSquare(pattern, text))) continue;
      broken.push(
        `${where} ${pattern} takes ${tookMs.toFixed(0)} ms for ${part.length} of ${JSON.stringify(text.slice(0, 40))}...`,
      );
      break;
    }
  }
  return { cases, expressions: expressions.length, slowestMs, broken };
}

/** Text of the first length that takes too long, because the whole could take hours; the whole text if none does. */
function firstSlowPart(pattern: RegExp, text: string): string {
  for (const length of [24, 300, 1_250, 5_000]) {
    const part = text.slice(0, length) + text.slice(-1);
    if (timeOf(pattern, part) > MOST_MS && leastTimeOf(pattern, part) > MOST_MS) return part;
  }
  return text;
}

/** Whether a text sixteen times as long takes much more than sixteen times as long, and so long that it matters. */
function growsWithSquare(pattern: RegExp, text: string): boolean {
  const end = text.slice(-1);
  const short = Math.max(0.2, leastTimeOf(pattern, text.slice(0, LENGTH / 4) + end));
  return leastTimeOf(pattern, text.slice(0, -1).repeat(4) + end) > Math.max(200, 48 * short);
}

/** Of three, because the engine may collect garbage; what takes a second is not repeated. */
function leastTimeOf(pattern: RegExp, text: string): number {
  let least = timeOf(pattern, text);
  for (let again = 0; again < 2 && least < 1_000; again++) least = Math.min(least, timeOf(pattern, text));
  return least;
}

function timeOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const begunMs = processorMs();
  text.replace(pattern, '');
  return processorMs() - begunMs;
}

/** Time of the processor, which other programs on a busy machine do not lengthen. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function sourceFiles(): readonly string[] {
  return ['src', 'integrations'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
}

function literals(): readonly Expression[] {
  return sourceFiles().flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest);
    const found: Expression[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const line = file.getLineAndCharacterOfPosition(node.pos).line + 1;
        const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
        found.push({ where: `${path}:${line}`, pattern });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

/** Expressions that a module builds when it is loaded. */
async function constructed(): Promise<readonly Expression[]> {
  const found: Expression[] = [];
  const Original = RegExp;
  for (const path of sourceFiles()) {
    if (
      !/^(?:const|export const| {2}new RegExp| {2}return).*new RegExp\(|^ +new RegExp\($/m.test(
        readFileSync(join(ROOT, path), 'utf8'),
      )
    )
      continue;
    globalThis.RegExp = new Proxy(Original, {
      construct(target, [source, flags]: [string, string | undefined]) {
        const pattern = new target(source, flags);
        found.push({ where: path, pattern: new target(source, flags) });
        return pattern;
      },
    });
    try {
      await import(`${pathToFileURL(join(ROOT, path)).href}?expressions`);
    } finally {
      globalThis.RegExp = Original;
    }
  }
  return found;
}

/** Texts that begin as a match does, go on and on with a part of it, and end as none does. */
function* textsAgainst({ source }: RegExp): Generator<string> {
  const parts = samplesOf(source);
  const pumps = new Set<string>([' ', 'a', '1', '"', '\\', ...parts, parts.join('')]);
  for (let at = 1; at < parts.length; at++) pumps.add(`${parts[at - 1]}${parts[at]}`);
  for (const pump of pumps) {
    if (pump === '') continue;
    const body = pump.repeat(Math.ceil(LENGTH / pump.length)).slice(0, LENGTH);
    yield `${body}\u0001`;
    const at = parts.indexOf(pump);
    if (at > 0) yield `${parts.slice(0, at).join('')}${body}\u0001`;
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  s: ' ',
  d: '1',
  w: 'a',
  S: 'x',
  D: 'x',
  W: '-',
  b: '',
  B: '',
  p: 'a',
  P: '-',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** An escape, a set, a quantifier or an assertion of an expression, or a character that stands for itself. */
const ATOM =
  /\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2})|([pP])\{[^}]*\}|k<[^>]*>|(.))|\[((?:\\.|[^\]\\])*)\]|\(\?(?:<?[=!]|:|<[^>]+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|([()|^$])|([\s\S])/gu;

/** A character, or a run of them, for each part of an expression, in order. */
function samplesOf(source: string): readonly string[] {
  const parts: string[] = [];
  let isRun = false;
  for (const [whole, unicode, hex, property, escaped, set, mark, plain] of source.matchAll(ATOM)) {
    let sample = '';
    if (unicode ?? hex) sample = String.fromCodePoint(Number.parseInt(unicode ?? hex ?? '0', 16));
    else if (property) sample = CLASSES[property] ?? '';
    else if (escaped) sample = CLASSES[escaped] ?? escaped;
    else if (set !== undefined) sample = sampleOfSet(set);
    else if (plain) sample = plain === '.' ? 'x' : plain;
    if (mark !== undefined || whole.startsWith('(?') || sample === '') {
      isRun = false;
      continue;
    }
    // Letters that follow each other are a word.
    if (isRun && plain && plain !== '.') parts[parts.length - 1] += sample;
    else parts.push(sample);
    isRun = plain !== undefined && plain !== '.';
  }
  return parts;
}

function sampleOfSet(set: string): string {
  if (set.startsWith('^')) return ['x', ' ', '1', '-', '\n'].find((one) => !set.includes(one)) ?? 'é';
  const escaped = /^\\(?:u([0-9a-fA-F]{4})|(.))/.exec(set);
  if (escaped)
    return escaped[1]
      ? String.fromCharCode(Number.parseInt(escaped[1], 16))
      : (CLASSES[escaped[2] ?? ''] ?? escaped[2] ?? '');
  return set.slice(0, 1);
}
