import { LoopError } from 'rsi-loop';
import { loopOptions } from '../config/loop-options.js';
import { FollowedFolder } from '../dashboard/followed-folder.js';
import type { ExitCode } from '../exit.js';
import { paintFor } from '../terminal/look.js';
import { type TopState, topLines } from '../top/lines.js';
import { Screen } from '../top/top-screen.js';
import { storeOption, verb } from '../verb.js';

/** Interval at which the screen is drawn again, so that times stay right. */
const DRAW_EVERY_MS = 1_000;

/** The verb `rsi top`: follows the folder of a loop on the whole terminal. */
export const top = verb<{ readonly store: string }>({
  description:
    'Follows the folder of a loop on the whole terminal: health over time, what fails most, and trials, each with a bar that is full when the fix is proven to help. Reads beside the running agent and changes nothing. q or Ctrl-C ends it.',
  examples: [
    ['top', 'of ./rsi_data'],
    ['top --store agent_data', 'of another folder'],
  ],
  options: [storeOption()],
  run: async ({ store }, _argument, config) => {
    // The view of the status holds the problems.
    const source = await FollowedFolder.open(store, loopOptions(await config()), () => {});
    try {
      const { stdin, stdout } = process;
      if (!stdin.isTTY || !stdout.isTTY || process.env.TERM === 'dumb')
        throw new LoopError(
          'invalid-input',
          'rsi top needs a terminal that it can draw on: rsi status prints the same',
        );
      return await follow(source, store);
    } finally {
      await source.close();
    }
  },
});

async function follow(source: FollowedFolder, folder: string): Promise<ExitCode> {
  let state = await read(source, folder);
  const screen = new Screen(process.stdin, process.stdout);
  const paint = paintFor(process.stdout);
  const draw = () => screen.draw(topLines(state, { ...screen.size, paint }));
  let isReading = false;
  const update = async () => {
    if (isReading) return;
    isReading = true;
    // A store that cannot be read for a moment leaves the last figures on the screen.
    state = await read(source, folder).catch(() => state);
    isReading = false;
    draw();
  };
  const ended = screen.open(draw);
  const timer = setInterval(() => void update(), DRAW_EVERY_MS);
  const stop = source.onEvent(() => void update());
  try {
    draw();
    return await ended;
  } finally {
    stop();
    clearInterval(timer);
    screen.close();
  }
}

async function read(source: FollowedFolder, folder: string): Promise<TopState> {
  const views = [source.view('status', {}), source.view('overview', {})] as const;
  const [status, overview] = await Promise.all(views);
  if (!status || !overview) throw new LoopError('store-failed', `${folder} cannot be read`);
  return { folder, status, overview };
}
