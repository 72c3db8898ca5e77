import { isDeepStrictEqual } from 'node:util';
import { RSILoop } from 'rsi-loop';
import { type Healed, heal, type Repair } from 'rsi-loop/heal';
import { codeProject } from 'rsi-loop/improve';
import { ScriptedModel } from 'rsi-loop/testing';
import { createRepository, type TestRepository } from '../improve/code/repository.js';
import type { SeededBug } from './seeded-bugs.js';

type Callable = (...args: never[]) => unknown;

/** End of the attempts to repair one bug, with a person who approves everything that is proposed. */
export interface BugEnd {
  readonly name: string;
  /** Patches of the model, by whether they are right. */
  readonly asked: { readonly right: number; readonly wrong: number };
  readonly proposed: 'right' | 'wrong' | 'nothing';
  /** Whether each failing call threw the object that the function threw. */
  readonly keptErrors: boolean;
  readonly repairs: readonly Repair[];
}

/** Returns a function with this body. Its own name is known inside, for recursion. */
export function functionOf({ name, parameters }: SeededBug, body: string): Callable {
  return new Function(`return function ${name}(${parameters}) { ${body} }`)();
}

/** Returns whether a function with this body answers every case of the bug. A case is a call with its result. */
export function isRight(bug: SeededBug, body: string): boolean {
  return bug.cases.every(([args, expected]) => {
    try {
      return isDeepStrictEqual(Reflect.apply(functionOf(bug, body), undefined, structuredClone(args)), expected);
    } catch {
      return false;
    }
  });
}

/** Returns patches that do not mend the bug: they hide it, invent data, know one call only, or break something else. */
export function wrongPatches({ failing, cases, buggy, right, ...bug }: SeededBug): readonly string[] {
  const call = codeOf(failing);
  const answer = codeOf(cases.find(([args]) => isDeepStrictEqual(args, failing))?.[1] ?? null);
  const patches = [
    `try { ${buggy} } catch { return undefined; }`,
    `try { ${buggy} } catch { return 0; }`,
    `try { ${buggy} } catch { return ''; }`,
    `try { ${buggy} } catch { return []; }`,
    `try { ${buggy} } catch (error) { throw new RangeError('unusable input'); }`,
    `if (JSON.stringify([...arguments]) === JSON.stringify(${call})) return ${answer}; ${buggy}`,
    `const result = (() => { ${right} })(); return typeof result === 'number' ? result + 1 : [result];`,
    `${right} } export function evil() { return 1;`,
    `${right} /* `,
    `return (`,
    'return undefined;',
    buggy,
    `${'// padding\n'.repeat(60)}throw new Error('later');`,
    `process.exit(0); ${right}`,
  ];
  return patches.filter(
    (body) =>
      body === buggy ||
      body.includes('process.exit') ||
      body.includes('evil') ||
      !isRight({ failing, cases, buggy, right, ...bug }, body),
  );
}

/**
 * Repairs one bug with a model that is wrong half of the time.
 * @param hasTest Whether a test of the repository fails because of the bug. Otherwise only the recorded call shows it.
 */
export async function repairBug(bug: SeededBug, random: () => number, hasTest: boolean): Promise<BugEnd> {
  const repository = createRepository(filesOf(bug, hasTest));
  const loop = new RSILoop();
  try {
    return await live(bug, repository, loop, random);
  } finally {
    await loop.close();
    repository.remove();
  }
}

async function live(bug: SeededBug, repository: TestRepository, loop: RSILoop, random: () => number): Promise<BugEnd> {
  const project = await codeProject({
    folder: repository.folder,
    allow: ['src/**'],
    test: ['node', '--test', `test/${bug.name}.test.mjs`],
    allowFailing: true,
  });
  const wrong = wrongPatches(bug);
  const asked = { right: 0, wrong: 0 };
  const model = new ScriptedModel(() => {
    const isWrong = random() < 0.5;
    asked[isWrong ? 'wrong' : 'right']++;
    const body = isWrong ? (wrong[Math.floor(random() * wrong.length)] ?? '') : ` ${bug.right} `;
    return { kind: 'json', json: { function: `src/${bug.name}.mjs ${bug.name}`, body, why: 'it solves the cause' } };
  });
  const errors: unknown[] = [];
  const own = functionOf(bug, bug.buggy);
  const throwing = (...args: never[]) => {
    try {
      return own(...args);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  };
  const healed = heal(throwing, {
    loop,
    task: bug.name,
    patch: { model, project, file: `src/${bug.name}.mjs`, name: bug.name },
  });
  try {
    for (const [args, expected] of bug.cases)
      if (works(own, args, expected)) Reflect.apply(healed, undefined, structuredClone(args));
    const keptErrors = await failUntilProposed(healed, bug, errors);
    const repairs = healed.healing.repairs();
    const proposal = repairs.find(({ kind }) => kind === 'proposed');
    if (proposal?.kind !== 'proposed') return { name: bug.name, asked, proposed: 'nothing', keptErrors, repairs };
    await project.approve(proposal.change, { by: 'a hasty person', reason: 'it was proposed' });
    const merged = repository.git('show', `HEAD:src/${bug.name}.mjs`);
    const body = merged.slice(merged.indexOf('{') + 1, merged.lastIndexOf('}'));
    return { name: bug.name, asked, proposed: isRight(bug, body) ? 'right' : 'wrong', keptErrors, repairs };
  } finally {
    await project.close();
  }
}

/** Fails as often as the breaker allows, and once more. */
async function failUntilProposed(
  healed: Healed<Callable>,
  bug: SeededBug,
  errors: readonly unknown[],
): Promise<boolean> {
  let isKept = true;
  for (let attempt = 1; attempt <= 4; attempt++) {
    try {
      Reflect.apply(healed, undefined, structuredClone(bug.failing));
      isKept = false;
    } catch (error) {
      isKept &&= error === errors.at(-1);
    }
    await healed.healing.idle();
    if (healed.healing.repairs().some(({ kind }) => kind === 'proposed')) break;
  }
  return isKept;
}

function works(own: Callable, args: readonly unknown[], expected: unknown): boolean {
  try {
    return isDeepStrictEqual(Reflect.apply(own, undefined, structuredClone(args)), expected);
  } catch {
    return false;
  }
}

/** The module with the bug, and its tests: those for the bug fail. The last case is no test, and only decides here. */
function filesOf(bug: SeededBug, hasTest: boolean): Readonly<Record<string, string>> {
  const { name, parameters, buggy, cases } = bug;
  const own = functionOf(bug, buggy);
  const tested = hasTest ? cases.slice(0, -1) : cases.filter(([args, expected]) => works(own, args, expected));
  const tests = tested.map(([args, expected], index) => {
    return `test('case ${index}', () => assert.deepEqual(${name}(...${codeOf(args)}), ${codeOf(expected)}));`;
  });
  return {
    [`src/${name}.mjs`]: `export function ${name}(${parameters}) { ${buggy} }\n`,
    [`test/${name}.test.mjs`]: [
      "import assert from 'node:assert';",
      "import { test } from 'node:test';",
      `import { ${name} } from '../src/${name}.mjs';`,
      ...tests,
      '',
    ].join('\n'),
  };
}

/** Returns a value as code. */
function codeOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Map) return `new Map(${codeOf([...value])})`;
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${codeOf(each)}`)
    .join(', ')} }`;
}
