import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/lib/random.js';
import { buildCommand } from '../integrations/cli/build-command.js';
import { runNode } from '../run-node.js';

export interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  readonly report: string;
}

const PEAK = 'peak-kb=';
/** Runs before the command and says at its end how much memory it took at most. */
const TELL_PEAK = `data:text/javascript,process.on('exit',()=>console.error('${PEAK}'+process.resourceUsage().maxRSS))`;

/** Lets `rsi analyze` read that many lines, of which one in nine failed, with at most `heapMb` for its objects. */
export async function analyzeLines(lines: number, { heapMb }: { readonly heapMb: number }): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-memory-'));
  try {
    const file = join(folder, 'outcomes.jsonl');
    await writeOutcomes(file, lines);
    const command = await buildCommand(folder);
    const startedMs = performance.now();
    const { code, stdout, stderr } = await runNode(
      [`--max-old-space-size=${heapMb}`, '--import', TELL_PEAK, command, 'analyze', file],
      { cwd: folder },
    );
    if (code !== 0) throw new Error(`rsi analyze ended with ${code}: ${stderr.slice(0, 500)}`);
    const peakKb = Number(stderr.slice(stderr.indexOf(PEAK) + PEAK.length));
    return { seconds: (performance.now() - startedMs) / 1000, peakMb: peakKb / 1024, report: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TASKS = ['search', 'fetch', 'edit', 'shell', 'answer'];
const MODELS = ['large', 'small'];
const ERRORS = [
  (id: number) => `429 Too Many Requests: request ${id} was refused, retry after ${id % 60}s`,
  (id: number) => `connect ECONNREFUSED 10.0.${id % 256}.${id % 199}:443`,
  (id: number) => `ENOENT: no such file or directory, open '/tmp/run-${id}/out.json'`,
  (id: number) => `Exit code 1: test ${id} failed`,
];

/** Forty days of calls, each line with values of its own, so that nothing in it can be kept only once. */
async function writeOutcomes(file: string, lines: number): Promise<void> {
  const random = seededRandom(1);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T; // the index lies in the list
  const stream = createWriteStream(file);
  for (let index = 0; index < lines; index++) {
    const failed = random() < 1 / 9;
    const outcome = {
      id: `outcome-${index}`,
      session: `session-${Math.floor(index / 50)}`,
      task: pick(TASKS),
      model: pick(MODELS),
      success: !failed,
      at: Date.UTC(2025, 8, 1) + Math.floor((index / lines) * 40 * 86_400_000),
      duration_ms: Math.floor(random() * 5_000),
      ...(failed && { error: pick(ERRORS)(Math.floor(random() * 1e9)) }),
    };
    if (!stream.write(`${JSON.stringify(outcome)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
