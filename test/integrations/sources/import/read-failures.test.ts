import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readInputs } from '../../../../integrations/sources/import/read-inputs.js';
import { findActor } from '../../../../src/classify/find-actor.js';
import { COURSE, type CourseFact } from '../../../../src/classify/remedies/row.js';
import type { Actor, ActorFinding } from '../../../../src/contract/actor.js';

const sessions = resolve(import.meta.dirname, '../../../../../shared/data/sessions');

/**
 * Failures read in full by hand, in their session and with what came before and after: session, line of the result, who
 * must act, and the remedy that fits. `none:` marks a failure that asks for no rule, such as a red test or a conflict.
 * `other:` marks one whose remedy the table does not hold.
 */
const READ: readonly (readonly [string, number, Actor, string])[] = [
  ['0c97beba', 20, 'agent', 'path/never-listed'],
  ['0cf3db51', 85, 'agent', 'check/changed-signature'],
  ['0cf3db51', 183, 'operator', 'host/updated-program'],
  ['0cf3db51', 233, 'operator', 'host/updated-program'],
  ['0cf3db51', 379, 'agent', 'check/unused-import'],
  ['0cf3db51', 389, 'agent', 'none:test/failed'],
  ['0cf3db51', 432, 'agent', 'path/never-listed'],
  ['127e9cd1', 26, 'agent', 'read/too-large'],
  ['127e9cd1', 154, 'agent', 'lint/named-rule'],
  ['198393f2', 48, 'agent', 'lint/named-rule'],
  ['198393f2', 112, 'agent', 'check/unused-import'],
  ['1c38adc0', 40, 'agent', 'shell/package-missing'],
  ['1c38adc0', 159, 'agent', 'none:test/failed'],
  ['1c38adc0', 210, 'agent', 'lint/context'],
  ['250f24a9', 180, 'agent', 'edit/not-found-after-change'],
  ['2a80b8d9', 158, 'agent', 'lint/named-rule'],
  ['2a80b8d9', 164, 'agent', 'git/local-changes'],
  ['3a782158', 149, 'agent', 'edit/many-matches'],
  ['3a782158', 158, 'agent', 'lint/unchecked-error'],
  ['3de15637', 33, 'agent', 'lint/wrap-error'],
  ['43c87127', 45, 'agent', 'read/other-ending'],
  ['43c87127', 147, 'agent', 'none:test/failed'],
  ['43c87127', 218, 'agent', 'lint/exhaustive'],
  ['43c87127', 302, 'agent', 'agent/unknown-skill'],
  ['45f2ccfd', 352, 'agent', 'lint/named-rule'],
  ['45f2ccfd', 496, 'agent', 'lint/security'],
  ['4fec7ea0', 60, 'agent', 'none:test/failed'],
  ['4fec7ea0', 135, 'agent', 'edit/not-found'],
  ['4fec7ea0', 147, 'agent', 'shell/missing-script'],
  ['4fec7ea0', 173, 'agent', 'check/declared-twice'],
  ['53ea1606', 40, 'agent', 'git/worktree-taken'],
  ['53ea1606', 241, 'agent', 'none:git/conflict'],
  ['60b38d1e', 52, 'agent', 'lint/named-rule'],
  ['6113e919', 39, 'agent', 'web/gone'],
  ['6113e919', 238, 'agent', 'check/types'],
  ['6113e919', 267, 'agent', 'lint/repeated-text'],
  ['6113e919', 449, 'agent', 'check/undefined-name'],
  ['6113e919', 811, 'agent', 'shell/parse-error'],
  ['6113e919', 837, 'agent', 'edit/unread'],
  ['7744721d', 32, 'agent', 'shell/other-flags'],
  ['85cc202e', 185, 'agent', 'none:test/failed'],
  ['8b418ea5', 134, 'host', 'host/internal-bug'],
  ['9ff9c26d', 9, 'agent', 'agent/unknown-type'],
  ['a032db5a', 259, 'agent', 'git/wrong-folder'],
  ['a032db5a', 260, 'agent', 'git/wrong-folder'],
  ['ab8c5aa0', 104, 'agent', 'check/syntax'],
  ['ae68c513', 98, 'agent', 'lint/unused-code'],
  ['b50aaf5c', 93, 'agent', 'edit/no-change'],
  ['b50aaf5c', 149, 'user', 'shell/permission-rule'],
  ['bba6327a', 241, 'agent', 'shell/other-flags'],
  // The linter ran without the settings of the project: run it with them.
  ['bba6327a', 246, 'agent', 'other:lint/own-settings'],
  ['e4599950', 273, 'agent', 'shell/no-glob-match'],
  ['e4599950', 388, 'agent', 'shell/missing-folder'],
  ['e7eb742c', 219, 'agent', 'lint/complexity'],
  ['f6833005', 21, 'agent', 'git/ignored-path'],
  ['f6833005', 43, 'agent', 'none:test/failed'],
  ['f6833005', 68, 'agent', 'shell/missing-folder'],
  ['f6833005', 77, 'agent', 'shell/missing-script'],
  ['f6833005', 219, 'agent', 'git/wrong-folder'],
  // The linter ran on one file of a package, and did not see the others: run it on the package.
  ['f744aef5', 83, 'agent', 'other:lint/whole-package'],
];

/** Returns what the product says of each failure, by session and line. */
async function answers(): Promise<ReadonlyMap<string, ActorFinding>> {
  const wanted = new Set(READ.map(([session]) => session));
  const files = readdirSync(sessions).filter((name) => wanted.has(name.slice(0, 8)) && name.includes('.jsonl'));
  const lines = new Map<string, string>();
  for (const name of files) {
    const text = gunzipSync(readFileSync(join(sessions, name))).toString('utf8');
    for (const [index, line] of text.split('\n').entries())
      for (const [, id = ''] of line.matchAll(/"tool_use_id":"([^"]+)"/g))
        if (!lines.has(id)) lines.set(id, `${name.slice(0, 8)}:${index + 1}`);
  }
  const found = new Map<string, ActorFinding>();
  const paths = files.map((name) => join(sessions, name));
  for await (const { outcomes } of readInputs(paths, { nowMs: 0, marksUndated: true }))
    for (const { id, success, task, issues, error, source, tags = [] } of outcomes) {
      const line = lines.get(id.slice(id.indexOf('-') + 1));
      if (success || line === undefined) continue;
      const facts: Partial<Record<CourseFact, number>> = {};
      for (const tag of tags) if (tag.startsWith(COURSE)) facts[tag.slice(COURSE.length) as CourseFact] = 1;
      const course = { known: Object.keys(facts).length, facts };
      const texts = error ? [error.message] : [];
      found.set(line, findActor({ task, issue: issues[0] ?? 'unknown', texts, sources: [source], course }));
    }
  return found;
}

describe.skipIf(!existsSync(sessions))('60 failures of real sessions, read by hand', () => {
  it('get the right party and a remedy that fits, and never a rule that does harm', async () => {
    const said = await answers();
    const wrong = READ.flatMap(([session, line, who, remedy]) => {
      const answer = said.get(`${session}:${line}`);
      const [, isPlain, id] = /^(none:|other:)?(.*)$/.exec(remedy) ?? [];
      expect(answer?.who, `${session}:${line}`).toBe(who);
      if (isPlain === 'none:') expect(answer).not.toHaveProperty('rule');
      return answer?.remedy === id ? [] : [`${session}:${line} ${remedy}: ${answer?.remedy}`];
    });
    expect(READ).toHaveLength(60);
    expect(wrong).toEqual([
      'bba6327a:246 other:lint/own-settings: lint/unchecked-error',
      'f744aef5:83 other:lint/whole-package: check/undefined-name',
    ]);
  });
});
