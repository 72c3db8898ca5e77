import { Option } from 'commander';
import { FileStore } from 'rsi-loop/node';
import { counted, whole } from '../../reports/words/numbers.js';
import { type ImportResult, importInto } from '../../sources/import/index.js';
import type { FindingsMode } from '../../sources/sessions/outcomes-of.js';
import { EXIT } from '../exit.js';
import { explainNothingRead, ReadProblems, requireSomePath } from '../import/problems.js';
import { sinceOption } from '../since.js';
import { mayBeStore } from '../store/check-folder.js';
import { isDatabase, shownStore } from '../store/database.js';
import { type CommandStore, openOrCreate } from '../store/open-store.js';
import { onInterrupt, until } from '../terminal/interrupt.js';
import { type Look, lookAt, shellWord } from '../terminal/look.js';
import { notice, print } from '../terminal/output.js';
import { labelled } from '../terminal/page.js';
import { Progress } from '../terminal/progress.js';
import { plain, wrap } from '../terminal/terminal-text.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

interface Options extends ReadOptions {
  readonly since?: number;
  readonly claims: 'none' | FindingsMode;
}

/** The verb `rsi import <path...>`: writes the outcomes of existing logs into the folder of a loop. */
export const importVerb = verb<Options, readonly string[]>({
  description:
    'Reads transcripts of coding agents, trajectories, traces and tables, and detects the format of each file. Writes their outcomes into the folder of a loop under their own ids, so that importing the same again adds nothing. docs/import.md in the repository says what becomes an outcome in each format. Sends nothing over the network.',
  examples: [
    ['import ~/.codex/sessions', 'into ./rsi_data'],
    ['import logs --store ./eval_data --since 30d', 'into another folder'],
  ],
  options: [
    storeOption('the folder of the loop; created if it is missing'),
    sinceOption(),
    new Option(
      '--claims <how>',
      'what to do with claims that no session bears out, corrections by users, and first wrong steps: record them aside, or counted as failures',
    )
      .choices(['none', 'aside', 'counted'])
      .default('aside'),
    jsonOption(),
  ],
  run: async ({ store: folder, since, claims, json }, paths) => {
    requireSomePath(paths);
    const { signal, release } = onInterrupt();
    const progress = new Progress(process.stderr);
    const problems = new ReadProblems();
    const store = await openToImport(folder);
    try {
      const result = await importInto(store, paths, {
        signal,
        nowMs: Date.now(),
        ...(since !== undefined && { sinceMs: since }),
        ...(claims !== 'none' && { findings: claims }),
        // A read of standard input that hangs must not hold up Ctrl-C.
        ...(paths.includes('-') && { stdin: until(process.stdin, signal) }),
        onProblem: (problem) => problems.add(problem),
        onBatch: ({ written, summary }) =>
          progress.show(() => `${counted(written, 'outcome')} from ${whole(summary.bytes / 1e6)} MB so far`),
      });
      progress.clear();
      const isEmpty = result.summary.outcomes === 0;
      if (isEmpty && signal.aborted) {
        await notice('stopped before anything was read');
        return EXIT.interrupted;
      }
      await problems.print();
      if (isEmpty && !json) await explainNothingRead();
      else await print({ document: reportOf(result, signal.aborted), text: importWords(result, folder) }, json);
      if (signal.aborted) return EXIT.interrupted;
      return isEmpty ? EXIT.unusable : EXIT.done;
    } finally {
      progress.clear();
      release();
      await store.close();
    }
  },
});

async function openToImport(store: string): Promise<CommandStore> {
  if (isDatabase(store)) return openOrCreate(store);
  // Nothing is created before the first outcome.
  await mayBeStore(store);
  return new FileStore(store);
}

function reportOf({ summary, ...counts }: ImportResult, interrupted: boolean): object {
  const { filesRead, filesFailed, filesIgnored, skipped, leftOut, nothingFound } = summary;
  return {
    format: 'rsi-import/1',
    interrupted,
    ...counts,
    files: { read: filesRead, failed: filesFailed, ignored: filesIgnored },
    skipped,
    leftOut: { ...leftOut },
    nothingFound: { ...nothingFound },
  };
}

function importWords({ written, failures, known, erased, formats, summary }: ImportResult, folder: string): string {
  const look = lookAt(process.stdout);
  const were = (count: number) => `${counted(count, 'outcome')} ${count === 1 ? 'was' : 'were'}`;
  const lines = [
    `${counted(written, 'outcome')} written to ${plain(shownStore(folder))}, ${whole(failures)} of them failed`,
    ...(known > 0 ? [`${were(known)} there already`] : []),
    ...(erased > 0 ? [`${were(erased)} erased before: left out`] : []),
  ].flatMap((line) => wrap(line, look.width, { whole: true }));
  const next = wrap(`next: ${look.next(`analyze ${shellWord(folder)}`)}`, look.width, { whole: true });
  return `${[...lines, '', ...summaryLines(summary, formats, look), '', ...next].join('\n')}\n`;
}

function summaryLines(
  { filesRead, filesIgnored, nothingFound, leftOut, skipped }: ImportResult['summary'],
  formats: ImportResult['formats'],
  look: Look,
): string[] {
  const files = counted(filesRead, 'file');
  const rows: (readonly [label: string, text: string])[] = [
    ['read', Object.keys(formats).length === 0 ? files : `${files}: ${listed(formats)}`],
  ];
  if (filesIgnored > 0) rows.push(['ignored', `${counted(filesIgnored, 'file')} of other kinds`]);
  for (const [reason, count] of Object.entries(nothingFound))
    rows.push(['nothing', `${counted(count, 'file')} ${reason}`]);
  if (Object.keys(leftOut).length > 0) rows.push(['left out', listed(leftOut)]);
  if (skipped > 0) rows.push(['skipped', `${counted(skipped, 'place')} that could not be read`]);
  return rows.flatMap(([label, text]) => labelled(label, text, look, { indent: 2 }));
}

/** Formats counts, the most frequent first: `codex 184, swe-agent 26`. */
function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${plain(name)} ${whole(count)}`)
    .join(', ');
}
