import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { seededRandom } from '../src/lib/random.js';
import { SECONDS } from './long-files.js';

/** Begins with the longest files. The order of the others is random, as `sequence.seed` says. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = seededRandom(this.ctx.config.sequence.seed);
    return files
      .map((file) => ({ file, rank: secondsOf(file.moduleId) + random() }))
      .sort((a, b) => b.rank - a.rank)
      .map(({ file }) => file);
  }
}

function secondsOf(path: string): number {
  const [name] = path.replaceAll('\\', '/').split('/test/').at(-1)?.split('.slow.test.ts') ?? [];
  return SECONDS[name ?? ''] ?? 0;
}
