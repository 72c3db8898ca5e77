import { mustBe } from '../lib/must-be.js';
/** Functions of a test runner that the suites need. Those of vitest, jest, mocha and node:test fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** Part of a store, opened by one process. */
export interface OpenedPart<Part> {
  readonly part: Part;
  /** Ends the process that opened it. Called once, after the test at the latest. */
  close?(): void | Promise<void>;
}

/** One storage location, e.g. a separate folder or database for each test. */
export interface PartPlace<Part> {
  /** Opens the location as another process would. Called several times if it is shared or lasting. */
  open(): OpenedPart<Part> | Promise<OpenedPart<Part>>;
  /** Removes the location after the test. */
  remove(): void | Promise<void>;
}

export interface PartContractOptions<Part> {
  readonly create: () => PartPlace<Part> | Promise<PartPlace<Part>>;
  /** Whether several processes may open one location at the same time. */
  readonly shared: boolean;
  /** Whether the content is still there when the location is opened again. */
  readonly lasting: boolean;
}

/** Opens the location of one test again, as another process would. */
export type Open<Part> = () => Promise<OpenedPart<Part> & { close(): Promise<void> }>;

export interface ContractTest<Part> {
  readonly sentence: string;
  /** Kind of location that the test needs. */
  readonly needs?: 'shared' | 'lasting';
  readonly body: (open: Open<Part>) => Promise<void>;
}

/** Defines the tests of a contract that apply to such a location. */
export function defineSuite<Part>(
  name: string,
  contract: string,
  runner: TestRunner,
  options: PartContractOptions<Part>,
  tests: readonly ContractTest<Part>[],
): void {
  runner.describe(titleOf(name, contract), () => {
    for (const { sentence, needs, body } of tests) {
      if (needs === undefined || options[needs]) runner.it(sentence, () => inPlace(options, body));
    }
  });
}

/** Returns the title of a suite. @throws LoopError `invalid-input` for a name that is no text. */
export function titleOf(name: string, contract: string): string {
  mustBe(typeof name === 'string', 'name', name, 'a text');
  return `${name} keeps the contract of ${contract}`;
}

async function inPlace<Part>(options: PartContractOptions<Part>, body: ContractTest<Part>['body']): Promise<void> {
  const place = await options.create();
  const closers: (() => Promise<void>)[] = [];
  try {
    await body(async () => {
      const opened = await place.open();
      let closing: Promise<void> | undefined;
      const close = () => (closing ??= Promise.resolve(opened.close?.()));
      closers.push(close);
      return { part: opened.part, close };
    });
  } finally {
    for (const close of closers) await close();
    await place.remove();
  }
}
