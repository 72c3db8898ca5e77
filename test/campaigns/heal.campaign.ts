/**
 * 40 functions with a bug, and a model whose patches are wrong half of the time. A person approves everything that is
 * proposed. A test of the repository fails for every second bug; for the others, only the recorded call shows it. Exits 1 if a wrong patch is merged, or an error that a function threw did not reach its caller.
 * `--bugs=0-19` takes some of them.
 */
import { seededRandom } from '../../src/lib/random.js';
import { repairBug } from '../integrations/heal/bug-world.js';
import { BUGS } from '../integrations/heal/seeded-bugs.js';

const given = process.argv.find((arg) => arg.startsWith('--bugs='))?.slice('--bugs='.length) ?? `0-${BUGS.length - 1}`;
const [from = 0, to = BUGS.length - 1] = given.split('-').map(Number);
const counts = { bugs: 0, right: 0, wrong: 0, mergedRight: 0, mergedWrong: 0, kept: 0 };
for (const [index, bug] of BUGS.slice(from, to + 1).entries()) {
  const { name, asked, proposed, keptErrors, repairs } = await repairBug(
    bug,
    seededRandom(from + index),
    (from + index) % 2 === 0,
  );
  counts.bugs++;
  counts.right += asked.right;
  counts.wrong += asked.wrong;
  if (proposed === 'right') counts.mergedRight++;
  if (proposed === 'wrong') counts.mergedWrong++;
  if (keptErrors) counts.kept++;
  const ends = repairs.map((repair) => (repair.kind === 'proposed' ? 'proposed' : repair.why)).join('; ');
  console.log(`  ${name}: ${proposed === 'nothing' ? 'nothing merged' : `a ${proposed} patch merged`} (${ends})`);
}
console.log(
  `${counts.bugs} bugs, ${counts.right} right and ${counts.wrong} wrong patches: ${counts.mergedRight} right and ${counts.mergedWrong} wrong ones merged; every error of ${counts.kept} functions reached its caller`,
);
process.exitCode = counts.mergedWrong === 0 && counts.kept === counts.bugs ? 0 : 1;
