import type { Workspace } from '../contract/workspace.js';
import { check, checkEqual, checkRejects } from './check.js';
import type { TestRunner } from './contract-suite.js';
import { titleOf } from './contract-suite.js';

/** A separate workspace for each test. */
export interface WorkspacePlace {
  /** Has at least two files, none of which exist yet. */
  readonly workspace: Workspace;
  /** Changes a file as another program would, e.g. a person's editor; `undefined` removes it. */
  edit(path: string, text: string | undefined): void | Promise<void>;
  /** Removes the workspace after the test. */
  remove(): void | Promise<void>;
}

export interface WorkspaceContractOptions {
  readonly create: () => WorkspacePlace | Promise<WorkspacePlace>;
}

/** Defines the tests that every workspace must pass. */
export function workspaceContract(name: string, runner: TestRunner, options: WorkspaceContractOptions): void {
  const test = (sentence: string, body: (place: WorkspacePlace, path: string, other: string) => Promise<void>) => {
    runner.it(sentence, async () => {
      const place = await options.create();
      try {
        const [path, other] = place.workspace.files;
        check(path !== undefined && other !== undefined, 'the workspace of the test has two files');
        await body(place, path, other);
      } finally {
        await place.remove();
      }
    });
  };
  runner.describe(titleOf(name, 'Workspace'), () => {
    contentTests(test);
    conflictTests(test);
    refusalTests(test);
  });
}

type Test = (sentence: string, body: (place: WorkspacePlace, path: string, other: string) => Promise<void>) => void;

function contentTests(test: Test): void {
  test('reads a file that is not there as one without text and without hash', async ({ workspace }, path) => {
    checkEqual(await workspace.read(path), { path, hash: '', unmerged: [] });
  });

  test('gives back every character as it was written', async ({ workspace }, path) => {
    for (const text of [
      '',
      '\n',
      '\ufeffa\r\nb\nc\rd',
      'no break at the end',
      'ä 漢 😀 \u0000\u2028',
      'a'.repeat(100_000),
    ]) {
      const before = await workspace.read(path);
      const result = await workspace.write(path, text, before.hash);
      checkEqual([result.kind, result.file.text], ['ok', text]);
      checkEqual(await workspace.read(path), result.file);
      check(result.file.hash !== '', 'a file that is there has a hash, an empty one too');
    }
  });

  test('gives the same bytes the same hash, and others another', async ({ workspace, edit }, path, other) => {
    await edit(path, 'one\n');
    await edit(other, 'one\n');
    const first = await workspace.read(path);
    checkEqual((await workspace.read(other)).hash, first.hash);
    await edit(path, 'one\r\n');
    check((await workspace.read(path)).hash !== first.hash, 'another line break is another hash');
    await edit(path, 'one\n');
    checkEqual(await workspace.read(path), first);
  });

  test('is back where it began when the former text is written again', async ({ workspace, edit }, path) => {
    await edit(path, 'before');
    const before = await workspace.read(path);
    const changed = await workspace.write(path, 'after', before.hash);
    const undone = await workspace.write(path, before.text, changed.file.hash);
    checkEqual([undone.kind, undone.file], ['ok', before]);
  });

  test('removes a file, and makes it again', async ({ workspace }, path) => {
    const made = await workspace.write(path, 'text', '');
    const removed = await workspace.write(path, undefined, made.file.hash);
    checkEqual([removed.kind, removed.file], ['ok', { path, hash: '', unmerged: [] }]);
    checkEqual((await workspace.write(path, 'text', '')).file, made.file);
  });

  test('takes a file that is as it should be for written', async ({ workspace, edit }, path) => {
    checkEqual((await workspace.write(path, undefined, '')).kind, 'ok');
    await edit(path, 'same');
    const { hash } = await workspace.read(path);
    checkEqual((await workspace.write(path, 'same', hash)).kind, 'ok');
    checkEqual((await workspace.read(path)).hash, hash);
  });
}

function conflictTests(test: Test): void {
  test('never writes over an edit that came after reading', async ({ workspace, edit }, path) => {
    await edit(path, 'as read');
    const { hash } = await workspace.read(path);
    await edit(path, 'by a person');
    const result = await workspace.write(path, 'by the loop', hash);
    checkEqual([result.kind, result.file.text], ['conflict', 'by a person']);
    checkEqual((await workspace.write(path, undefined, hash)).kind, 'conflict');
    checkEqual((await workspace.read(path)).text, 'by a person');
  });

  test('never writes over a file that came after reading', async ({ workspace, edit }, path) => {
    const { hash } = await workspace.read(path);
    await edit(path, '');
    checkEqual((await workspace.write(path, 'by the loop', hash)).kind, 'conflict');
    checkEqual((await workspace.read(path)).text, '');
  });

  test('never makes a file again that was removed after reading', async ({ workspace, edit }, path) => {
    await edit(path, 'as read');
    const { hash } = await workspace.read(path);
    await edit(path, undefined);
    const result = await workspace.write(path, 'by the loop', hash);
    checkEqual([result.kind, result.file], ['conflict', { path, hash: '', unmerged: [] }]);
    checkEqual(await workspace.read(path), { path, hash: '', unmerged: [] });
  });

  test('lets one of many writers win, who all read the same', async ({ workspace }, path) => {
    for (const after of ['', (await workspace.write(path, 'start', '')).file.hash]) {
      if (after !== '') await workspace.write(path, 'start', (await workspace.read(path)).hash);
      else await workspace.write(path, undefined, (await workspace.read(path)).hash);
      const texts = Array.from({ length: 8 }, (_, number) => `by writer ${number}`);
      const results = await Promise.all(texts.map((text) => workspace.write(path, text, after)));
      const winners = texts.filter((_, index) => results[index]?.kind === 'ok');
      checkEqual(winners.length, 1);
      checkEqual((await workspace.read(path)).text, winners[0]);
      checkEqual((await workspace.read(path)).unmerged, []);
    }
  });
}

function refusalTests(test: Test): void {
  test('knows no other files than those it lists', async ({ workspace }, path) => {
    const others = [
      `./${path}`,
      `../${path}`,
      `/${path}`,
      `x/../${path}`,
      `${path}/`,
      `${path}\u0000`,
      `${path} `,
      '',
      '.',
      'x.md',
    ];
    for (const other of others) {
      await checkRejects(workspace.read(other), 'workspace-refused');
      await checkRejects(workspace.write(other, 'text', ''), 'workspace-refused');
    }
    await checkRejects(workspace.read(undefined as never), 'workspace-refused'); // as JavaScript callers may
  });

  test('refuses half a character, which UTF-8 cannot hold', async ({ workspace }, path) => {
    await checkRejects(workspace.write(path, 'half \ud83d', ''), 'workspace-refused');
    checkEqual(await workspace.read(path), { path, hash: '', unmerged: [] });
  });
}
