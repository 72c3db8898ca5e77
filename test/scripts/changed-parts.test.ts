import { describe, expect, it } from 'vitest';
import { testsOf } from '../../scripts/changed-parts.js';

describe('npm run test:changed', () => {
  it('runs the tests of the part that a file belongs to', () => {
    expect(testsOf(['src/run/limiter.ts'])).toEqual({
      fast: ['test/architecture.test.ts', 'test/run/'],
      slow: [],
    });
    expect(testsOf(['integrations/sources/import/formats/codex.ts']).fast).toContain(
      'test/integrations/sources/import/',
    );
  });

  it('runs the whole core, and no companion, after a change of a record', () => {
    const { fast, slow } = testsOf(['src/contract/settings.ts']);
    expect(fast).toEqual(expect.arrayContaining(['test/verify/', 'test/judge/', 'test/live/']));
    expect(fast.filter((path) => path.includes('integrations'))).toEqual([]);
    expect(slow).toEqual([]);
  });

  it('draws the screens after a change of a screen', () => {
    const { fast, slow } = testsOf(['integrations/dashboard/page/parts/table.tsx']);
    expect(fast).toContain('test/integrations/dashboard/page/');
    expect(slow).toEqual(['test/integrations/dashboard/page/screens.slow.test.ts']);
  });

  it('runs a changed test itself, and checks the words of a changed page', () => {
    expect(testsOf(['test/run/limiter.test.ts', 'docs/run.md']).fast).toEqual([
      'test/architecture.test.ts',
      'test/links.test.ts',
      'test/run/limiter.test.ts',
      'test/voice.test.ts',
    ]);
  });

  it('runs nothing if no code changed', () => {
    expect(testsOf(['package.json'])).toEqual({ fast: [], slow: [] });
  });
});
