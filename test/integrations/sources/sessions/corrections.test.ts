import { describe, expect, it } from 'vitest';
import { findCorrections, isCorrection } from '../../../../integrations/sources/sessions/corrections.js';
import { readTraces } from '../../../../integrations/sources/sessions/read-traces.js';
import { findRepeated } from '../../../../integrations/sources/sessions/repeated.js';
import { type Event, transcript } from './transcript.js';

const correctionsIn = (session: string, events: readonly Event[]) =>
  readTraces(transcript(session, events), `${session}.jsonl`).flatMap((trace) => findCorrections(trace));

describe('isCorrection', () => {
  it.each([
    'no, I asked for the other file',
    'still fails with the same message',
    'revert that please',
    'you forgot the migration',
    'that is not what I meant',
    'The build is still broken',
    'nein, das ist falsch',
    'immer noch der gleiche Fehler',
    "non, ce n'est pas ça",
    'no es lo que pedí',
    'não funciona',
    'нет, не так',
    '还是报错',
    'まだ動きません',
    '아니 그게 아니라',
    'nie, to nie działa',
    'hayır, hâlâ hata veriyor',
    'nee, dat klopt niet',
    'no, non funziona',
  ])('reads "%s" as one', (text) => {
    expect(isCorrection(text)).toBe(true);
  });

  it.each([
    'no problem, go on',
    'now add a test for the empty list',
    'yes please',
    'Note that the port is 8080',
    'can you explain the second function?',
    'commit this',
    'what does the flag do?',
    'stop the server after the test',
    'but first, add the types',
    'Nice. Notice the second line.',
    'stopwatch widget next',
    'Notiere das Ergebnis in der Datei',
    'node 22 is installed, go on',
  ])('reads "%s" as none', (text) => {
    expect(isCorrection(text)).toBe(false);
  });
});

describe('findCorrections', () => {
  it('finds interrupts, refusals with their words, corrections and repeated requests', () => {
    const found = correctionsIn('s1', [
      { user: 'Add a flag that prints the version' },
      { edits: '/work/app/cli.ts' },
      { user: '[Request interrupted by user]' },
      { user: 'use the short name' },
      { refused: 'npm run test:all', saying: 'too slow' },
      { says: 'Stopped.' },
      { user: 'that is not what I asked for' },
      { edits: '/work/app/cli.ts' },
      { says: 'Done.' },
      { user: 'add a flag that prints the version' },
    ]);
    expect(found.map(({ kind, said }) => [kind, said])).toEqual([
      ['interrupt', ''],
      ['refusal', 'too slow'],
      ['said', 'that is not what I asked for'],
      ['again', 'add a flag that prints the version'],
    ]);
  });

  it('takes the first request for none, and what programs write in the place of the user', () => {
    const found = correctionsIn('s1', [
      { user: 'this is broken: the parser drops the last line' },
      { user: '<command-name>/clear</command-name>' },
      { edits: '/work/app/cli.ts' },
    ]);
    expect(found).toEqual([]);
  });
});

describe('findRepeated', () => {
  const refusing = (session: string, saying?: string) =>
    correctionsIn(session, [
      { user: 'Repair the parser' },
      { edits: '/work/app/parser.ts' },
      { refused: 'npm run test:integration 2>&1 | tail -5', ...(saying !== undefined && { saying }) },
    ]);

  it('proposes a rule with its count and its condition: "you said it 3 times in 3 sessions"', () => {
    const [found, ...others] = findRepeated([
      ...refusing('s1', 'too slow'),
      ...refusing('s2'),
      ...refusing('s3', 'not now, too slow'),
    ]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      count: 'you said it 3 times in 3 sessions',
      condition: 'before npm run test:integration',
      rule: 'Ask before running `npm run test:integration`: the user refused it ("too slow").',
    });
    expect(found?.places).toHaveLength(3);
  });

  it('proposes nothing for one session, or for words that have nothing in common', () => {
    expect(findRepeated([...refusing('s1'), ...refusing('s1'), ...refusing('s1')])).toEqual([]);
    const said = (session: string, user: string) =>
      correctionsIn(session, [{ user: 'Go' }, { edits: '/a.ts' }, { says: 'Done.' }, { user }]);
    const found = findRepeated([
      ...said('s1', 'no, use the blue button'),
      ...said('s2', 'that is not the port of the server'),
      ...said('s3', 'revert that, dates are in UTC'),
    ]);
    expect(found).toEqual([]);
  });

  it('says if another session asks for the opposite', () => {
    const broken = correctionsIn('s4', [
      { user: 'Repair the parser' },
      { edits: '/work/app/parser.ts' },
      { says: 'Done.' },
      { user: 'you forgot the integration tests, the build is broken' },
    ]);
    const [found] = findRepeated([...refusing('s1'), ...refusing('s2'), ...refusing('s3', 'too slow'), ...broken]);
    expect(found?.against).toBe('you forgot the integration tests, the build is broken');
  });
});
