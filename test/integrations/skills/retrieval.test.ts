import { describe, expect, it } from 'vitest';
import { RetrievalIndex } from '../../../integrations/skills/retrieval.js';
import { scoreRetrieval } from '../../campaigns/skills/retrieval.js';
import { scoreMeaning } from '../../campaigns/skills/vector-table.js';

const SKILLS = [
  { name: 'extract-urls', description: 'Extracts all links and URLs from a text or HTML.' },
  { name: 'semver-compare', description: 'Compares semantic versions and sorts them.' },
  { name: 'cron-explain', description: 'Explains a cron expression and lists its next runs.' },
  { name: 'color-convert', description: 'Converts colours between hex, RGB and HSL.' },
  { name: 'rota-plan', description: 'Assigns people to shifts fairly, with days off respected.' },
  { name: 'csv-total', description: 'Totals the numbers in a column of a CSV file.', whenNot: 'JSON documents' },
];
const namesFor = async (text: string, index = new RetrievalIndex(SKILLS)) =>
  (await index.nearest(text)).map(({ entry }) => entry.name);

describe('the retrieval of skills', () => {
  it.each([
    ['which is newer, 1.10.0 or 1.9.3', 'semver-compare'],
    ['what does 30 4 1 * * do', 'cron-explain'],
    ['what is #1a2b3c in hsl', 'color-convert'],
  ])('understands the values in “%s”', async (text, name) => {
    expect((await namesFor(text))[0]).toBe(name);
  });

  it('matches a part of a word', async () => {
    expect(await namesFor('collect the hyperlinks from the html')).toEqual(['extract-urls']);
  });

  it('offers nothing for words of everyday English, and something for one rare word in the name', async () => {
    expect(await namesFor('tell me about the people of Norway')).toEqual([]);
    expect(await namesFor('please make the rota')).toEqual(['rota-plan']);
  });

  it('scores by "when not to use"', async () => {
    const index = new RetrievalIndex(SKILLS);
    const scoreOf = async (text: string) => (await index.nearest(text))[0]?.score ?? 0;
    expect(await scoreOf('total the numbers of the csv')).toBeGreaterThan(0.8);
    expect(await scoreOf('total the numbers of the json')).toBeLessThan(await scoreOf('total the numbers of the csv'));
  });

  it('adds meaning with an embedder', async () => {
    const vectorOf = (text: string) => (/colour|paint/.test(text) ? [1, 0] : [0, 1]);
    const index = new RetrievalIndex(SKILLS, { embed: async (texts) => texts.map(vectorOf) });
    expect(await namesFor('paint', index)).toEqual(['color-convert']);
    expect(await namesFor('paint')).toEqual([]);
  });

  it.each([5, 20, 100])(
    'finds 19 of 20 requests and is silent for 19 of 20 others, among %i published-style skills',
    async (count) => {
      const { recall, none } = await scoreRetrieval(count, 'all', 'published');
      expect(recall).toBeGreaterThanOrEqual(0.95);
      expect(none).toBeGreaterThanOrEqual(0.95);
    },
  );

  it.each([0.1, 0.5, 0.75])(
    'finds skills by meaning if texts without anything in common have a cosine of %d',
    async (base) => {
      const { recall, none } = await scoreMeaning(base);
      expect(recall).toBeGreaterThanOrEqual(0.97);
      expect(none).toBeGreaterThanOrEqual(0.95);
    },
  );
});
