import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { claimsIn } from '../integrations/sources/sessions/claims.js';
import { findCorrections } from '../integrations/sources/sessions/corrections.js';
import { findUnseen } from '../integrations/sources/sessions/find-unseen.js';
import { readTraces } from '../integrations/sources/sessions/read-traces.js';
import { type CheckKind, checksOf } from '../integrations/sources/sessions/session-checks.js';
import { type Call, type Trace, type Turn, turnsOf } from '../integrations/sources/sessions/trace.js';

/*
 * Measures what is found in sessions against labels written by hand:
 *
 *     npm run measure-sessions
 *     npm run measure-sessions -- FOLDER_OF_TRANSCRIPTS LABELS.jsonl
 *
 * Without arguments it reads the sessions and traces of `../shared/data` and `session-labels.txt`. Each line there is one
 * answer: eight digits of the SHA-256 of `session:line`, the claims in it that were read, and how many of them its
 * session does not bear out.
 *
 * A label is `{"kind": "message" | "answer", "session", "line", "label", "half"}`: whether the message of a user corrects
 * the agent, or the answer claims what its session does not show.
 */
interface Label {
  readonly kind: 'message' | 'answer';
  readonly session: string;
  readonly line: number;
  readonly label: boolean;
  readonly half: string;
}

function main([folder, labels]: readonly string[]): void {
  if (folder === undefined && existsSync(DATA)) {
    measureShared();
    return;
  }
  if (folder === undefined || labels === undefined || !existsSync(labels)) {
    console.log('give a folder of transcripts and a file of labels: npm run measure-sessions -- FOLDER LABELS.jsonl');
    return;
  }
  const traces = readdirSync(folder)
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .flatMap((name) => readFile(join(folder, name)));
  const rows = readFileSync(labels, 'utf8')
    .trim()
    .split('\n')
    .map((line): Label => JSON.parse(line));
  const unseen = new Set(traces.flatMap((trace) => findUnseen(trace).map(({ line }) => `${trace.session}:${line}`)));
  const said = new Set(
    traces.flatMap((trace) =>
      findCorrections(trace)
        .filter(({ kind }) => kind === 'said' || kind === 'again')
        .map(({ session, line }) => `${session}:${line}`),
    ),
  );
  for (const half of [...new Set(rows.map((row) => row.half))].sort()) {
    for (const [kind, found] of [
      ['answer', unseen],
      ['message', said],
    ] as const)
      console.log(
        `${half}, ${kind}: ${scores(
          rows.filter((row) => row.half === half && row.kind === kind),
          found,
        )}`,
      );
  }
  console.log(constructed(traces));
}

const DATA = '../shared/data';
const LABELS = 'scripts/session-labels.txt';

/** Measures the claims of all answers that were read by hand, for the sessions and for the other traces. */
function measureShared(): void {
  const labels = readFileSync(LABELS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const known = new Map(labels.map(([key = '', claims, unfounded]) => [key, [Number(claims), Number(unfounded)]]));
  for (const folder of ['sessions', 'traces']) {
    const traces = readdirSync(join(DATA, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:jsonl?|traj)(?:\.gz)?$/.test(name))
      .sort()
      .flatMap((name) => readFile(join(DATA, folder, name)));
    const answers = new Set(
      traces.flatMap((trace) => turnsOf(trace).flatMap(({ answer }) => (answer ? keyOf(trace, answer.line) : []))),
    );
    const read = [...answers].flatMap((key) => known.get(key) ?? []);
    const sum = (at: number) => read.reduce((total, one, index) => total + (index % 2 === at ? one : 0), 0);
    const alarms = traces.flatMap((trace) => findUnseen(trace).map(({ line }) => keyOf(trace, line)));
    const right = alarms.filter((key) => (known.get(key)?.[1] ?? 0) > 0).length;
    console.log(
      `${folder}: ${sum(0)} claims in ${read.length / 2} answers read by hand, ${sum(1)} unfounded; ${right} of ${alarms.length} alarms right, ${right} of ${sum(1)} found`,
    );
    console.log(`  ${constructed(traces)}`);
  }
}

function keyOf({ session }: Trace, line: number): string {
  return createHash('sha256').update(`${session}:${line}`).digest('hex').slice(0, 8);
}

function readFile(path: string): readonly Trace[] {
  const bytes = readFileSync(path);
  return readTraces((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'), path);
}

function scores(rows: readonly Label[], found: ReadonlySet<string>): string {
  const isFound = ({ session, line }: Label) => found.has(`${session}:${line}`);
  const right = rows.filter((row) => row.label && isFound(row)).length;
  const alarms = rows.filter(isFound).length;
  const positive = rows.filter(({ label }) => label).length;
  return `${rows.length} labelled, ${right} of ${alarms} alarms right, ${right} of ${positive} found`;
}

/** Removes the checks of each founded claim's turn, or lets them print a failure, and counts the claims that are found. */
function constructed(traces: readonly Trace[]): string {
  const cases = traces.flatMap((trace) => turnsOf(trace).flatMap((turn) => casesOf(trace, turn)));
  const removed = cases.filter((one) => isFound(one, (call) => delete call.result));
  const failing = cases.filter((one) =>
    isFound(one, (call) => {
      const text = one.kind === 'lint' ? '3 issues' : '--- FAIL: TestParser\nFAIL';
      if (call.result) call.result = { ...call.result, text };
    }),
  );
  const [all, gone, red] = [cases, removed, failing].map(({ length }) => length);
  return `constructed: ${gone} of ${all} found with the checks of the turn removed, ${red} of ${all} with failing ones`;
}

interface Case {
  readonly trace: Trace;
  readonly kind: CheckKind;
  /** Line of the answer, and lines of its checks. */
  readonly line: number;
  readonly runs: readonly number[];
}

function casesOf(trace: Trace, { answer, steps }: Turn): readonly Case[] {
  if (answer === undefined) return [];
  const calls = steps.flatMap((step) => step.calls);
  if (!calls.some(({ writes, result }) => writes !== undefined && !writes.endsWith('.md') && !result?.failed))
    return [];
  return claimsIn(answer.text).flatMap(({ kind }) => {
    const known = KINDS.find((one) => one === kind);
    if (known === undefined) return [];
    const runs = calls.flatMap(({ command, result, line }) =>
      command && result && checksOf(command).has(known) ? [line] : [],
    );
    return runs.length === 0 ? [] : [{ trace, kind: known, line: answer.line, runs }];
  });
}

const KINDS: readonly CheckKind[] = ['tests', 'lint', 'build', 'types'];

function isFound({ trace, kind, line, runs }: Case, change: (call: Call) => void): boolean {
  const copy = structuredClone(trace);
  for (const call of copy.steps.flatMap((step) => step.calls)) if (runs.includes(call.line)) change(call);
  return findUnseen(copy).some((one) => one.kind === kind && one.line === line);
}

main(process.argv.slice(2));
