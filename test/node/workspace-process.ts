/** A process of its own beside a workspace: `edit`, `swap` or `write`. Told what to do by lines on standard input. */
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom } from '../../src/lib/random.js';
import { DiskWorkspace } from '../../src/node/index.js';

const [role = '', folder = '', seed = '1'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const pick = (most: number) => Math.floor(random() * most);
const file = join(folder, 'AGENTS.md');

/** Waits without giving the processor away, for less than timers can. */
function spin(micros: number): void {
  const until = performance.now() + micros / 1_000;
  while (performance.now() < until);
}

/** Text that an editor has open: it reads again where the file is missing for a moment. */
function present(): string {
  for (;;) {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

const SAVES: readonly ((line: string) => void)[] = [
  // Most editors: a new file that takes the place of the old one.
  (line) => {
    writeFileSync(`${file}.swp`, withLine(present(), line));
    renameSync(`${file}.swp`, file);
  },
  // Some editors and most scripts: the file is emptied and written again.
  (line) => writeFileSync(file, withLine(present(), line)),
  // `echo line >> AGENTS.md`
  (line) => appendFileSync(file, line),
  // Written over in place.
  (line) => {
    const bytes = Buffer.from(withLine(present(), line));
    const open = openSync(file, 'r+');
    writeSync(open, bytes, 0, bytes.byteLength, 0);
    ftruncateSync(open, bytes.byteLength);
    closeSync(open);
  },
];

function withLine(text: string, line: string): string {
  const lines: string[] = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  lines.splice(pick(lines.length + 1), 0, line);
  return lines.join('');
}

/** Saves lines of a person's own, one way or another, as fast as it can. */
function edit(from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const save = SAVES[pick(SAVES.length)];
    for (;;) {
      try {
        save?.(`by hand ${number};\n`);
        break;
      } catch (error) {
        // The name was free for a moment: an editor tells its user, who saves again.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    spin(random() * 300);
  }
}

/** Turns the folder `team`, or a file in it, into a link that leads outside and back again, as fast as it can. */
function swap(until: () => boolean): number {
  const [team, aside, outside] = [join(folder, 'team'), join(folder, 'team.aside'), join(folder, '..', 'outside')];
  const inner = join(team, 'AGENTS.md');
  const copies = join(team, '.rsi-backups');
  let swaps = 0;
  while (!until()) {
    for (let burst = 0; burst < 100; burst++, swaps++) {
      const kind = pick(4);
      if (kind < 2) exchange(team, aside, outside);
      else if (kind === 2) exchange(copies, `${copies}.aside`, outside);
      else exchange(inner, `${inner}.aside`, join(outside, 'AGENTS.md'));
      // Mostly things are as they should be, so that many writes come as far as the moment that counts.
      spin(random() * 2_000);
    }
  }
  return swaps;
}

function exchange(real: string, aside: string, target: string): void {
  try {
    renameSync(real, aside);
  } catch {
    return; // not there yet
  }
  try {
    symlinkSync(target, real);
    spin(random() * 100);
    unlinkSync(real);
  } catch {
    // Another process made one meanwhile: that one stays, this one goes.
  }
  try {
    renameSync(aside, real);
  } catch {
    rmSync(aside, { recursive: true });
  }
}

const print = (line: string) => writeSync(1, `${line}\n`);

if (role === 'edit') {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [from = 0, to = 0] = line.split(' ').map(Number);
    edit(from, to);
    print(`done ${to}`);
  });
  print('ready');
} else if (role === 'swap') {
  mkdirSync(join(folder, 'team'), { recursive: true });
  const ends = performance.now() + Number(process.argv[5] ?? 0);
  const flag = join(folder, 'stop');
  print('ready');
  const isOver = () => {
    if (performance.now() < ends) return false;
    try {
      readFileSync(flag);
      return true;
    } catch {
      return false;
    }
  };
  print(`swaps ${swap(isOver)}`);
} else {
  // Writes versions until it is killed.
  const workspace = new DiskWorkspace(folder, { files: ['AGENTS.md'], quietMs: 0 });
  print('ready');
  for (let number = 0; ; number++) {
    const { hash } = await workspace.read('AGENTS.md');
    await workspace.write('AGENTS.md', `version ${seed}.${number}\n${'x'.repeat(pick(5_000))}\n`, hash);
  }
}
