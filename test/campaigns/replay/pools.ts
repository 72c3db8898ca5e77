import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../../src/lib/random.js';

/** Task with the names that a host knows before it starts, general to special. */
export interface PoolTask {
  readonly names: readonly string[];
}

/** Agent with its recorded ends: failures of each task, as shares between 0 and 1 over its repeats. */
export interface PoolAgent {
  readonly name: string;
  /** One list per task of the pool: 1 failed, 0 succeeded. Empty if the task was not recorded. */
  readonly ends: readonly (readonly number[])[];
}

/** Recorded ends of several agents on the same tasks. */
export interface Pool {
  readonly name: string;
  readonly source: string;
  /** When its authors published it, or the version that was read. */
  readonly date: string;
  readonly tasks: readonly PoolTask[];
  readonly agents: readonly PoolAgent[];
}

/** Reads the pools of a folder, or builds one by simulation where there is none. */
export function readPools(folder: string | undefined): readonly Pool[] {
  if (folder === undefined || !existsSync(folder)) return [simulatedPool()];
  const pools = [terminalBench(folder), openHands(folder), bfcl(folder), routeLlm(folder)].filter(
    (pool) => pool !== undefined,
  );
  return pools.length > 0 ? pools : [simulatedPool()];
}

/** Share of failures of an agent over some tasks, each with the same weight. */
export function failureRate({ ends }: PoolAgent, tasks: readonly number[]): number {
  return tasks.reduce((sum, task) => sum + mean(ends[task] ?? []), 0) / tasks.length;
}

/** Returns the numbers of the tasks that the agent has. */
export function tasksOf({ tasks }: Pool, { ends }: PoolAgent): readonly number[] {
  return tasks.flatMap((_, task) => (ends[task]?.length ? [task] : []));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function read<Content>(folder: string, name: string): Content | undefined {
  const path = join(folder, name);
  return existsSync(path) ? (JSON.parse(gunzipSync(readFileSync(path)).toString()) as Content) : undefined; // as documented
}

function terminalBench(folder: string): Pool | undefined {
  type Trials = Readonly<Record<string, readonly (readonly [resolved: number, ...more: unknown[]])[]>>;
  const agents = read<Readonly<Record<string, Trials>>>(folder, 'terminal-bench.json.gz');
  if (!agents) return undefined;
  const tasks = Object.keys(Object.values(agents)[0] ?? {});
  return {
    name: 'Terminal-Bench',
    source: 'laude-institute/terminal-bench-leaderboard',
    date: '8e1925a',
    tasks: tasks.map((task) => ({ names: ['terminal', task] })),
    agents: Object.entries(agents).map(([name, trials]) => ({
      name,
      ends: tasks.map((task) => (trials[task] ?? []).map(([resolved]) => 1 - resolved)),
    })),
  };
}

function openHands(folder: string): Pool | undefined {
  type Ends = readonly (readonly [end: number, cost: number] | null)[];
  interface Index {
    readonly ids: Readonly<Record<string, readonly string[]>>;
    readonly variants: Readonly<Record<string, Readonly<Record<string, Ends>>>>;
  }
  const index = read<Index>(folder, 'openhands-index.json.gz');
  const ids = index?.ids['swe-bench'];
  if (!index || !ids) return undefined;
  return {
    name: 'OpenHands',
    source: 'OpenHands/openhands-index-results, swe-bench',
    date: '3015ac6',
    tasks: ids.map((id) => ({ names: ['swe-bench', id.split('__')[0] ?? id] })),
    agents: Object.entries(index.variants).map(([name, ends]) => ({
      name,
      ends: ids.map((_, task) => {
        const end = ends['swe-bench']?.[task];
        return end ? [end[0] === 1 ? 0 : 1] : [];
      }),
    })),
  };
}

function bfcl(folder: string): Pool | undefined {
  interface Calls {
    readonly total: Readonly<Record<string, number>>;
    readonly models: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  }
  const calls = read<Calls>(folder, 'bfcl.json.gz');
  if (!calls) return undefined;
  const numbered = Object.entries(calls.total).flatMap(([category, count]) =>
    Array.from({ length: count }, (_, number) => ({ category, number: String(number) })),
  );
  return {
    name: 'BFCL',
    source: 'HuanzhiMao/BFCL-Result, b4adfc9',
    date: '2024-08-11',
    tasks: numbered.map(({ category }) => ({ names: ['call', category] })),
    agents: Object.entries(calls.models).map(([name, failed]) => ({
      name,
      // Calls of a category are numbered from 0 or 1; a category without a list was not run or has no failures.
      ends: numbered.map(({ category, number }) => [failed[category]?.[number] === undefined ? 0 : 1]),
    })),
  };
}

function routeLlm(folder: string): Pool | undefined {
  type Answers = readonly (readonly [subject: string, mixtral: number, gpt4: number])[];
  const answers = read<Answers>(folder, 'routellm-mmlu.json.gz');
  if (!answers) return undefined;
  return {
    name: 'RouteLLM',
    source: 'lm-sys/RouteLLM, MMLU',
    date: '0b64fda',
    tasks: answers.map(([subject]) => ({ names: ['question', subject] })),
    agents: ['Mixtral', 'GPT-4'].map((name, index) => ({
      name,
      ends: answers.map(([, mixtral, gpt4]) => [1 - Number(index === 0 ? mixtral : gpt4)]),
    })),
  };
}

/** Agents of different skill on tasks of different difficulty: a stand-in for recorded ends, written for the tests. */
export function simulatedPool(agents = 12, tasks = 60): Pool {
  const random = seededRandom(11);
  const difficulty = Array.from({ length: tasks }, () => 2.5 * (2 * random() - 1));
  return {
    name: 'simulated',
    source: 'drawn from a seed: no recorded outcomes were found',
    date: 'seed 11',
    tasks: difficulty.map((_, task) => ({ names: ['simulated', `task ${task}`] })),
    agents: Array.from({ length: agents }, (_, agent) => ({
      name: `agent ${agent}`,
      ends: difficulty.map((hard) =>
        Array.from({ length: 5 }, () => (random() < 1 / (1 + Math.exp(0.18 * agent - 1 - hard)) ? 1 : 0)),
      ),
    })),
  };
}
