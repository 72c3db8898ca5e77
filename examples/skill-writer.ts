import type { Json } from 'rsi-loop';
import { ScriptedModel } from 'rsi-loop/testing';

const TOTAL =
  'export default ({ csv }) => ({ total: csv.split("\\n").reduce((sum, line) => sum + (Number(line.split(",")[1]) || 0), 0) })';
const SLUG = 'export default ({ title }) => ({ slug: title.toLowerCase().split(" ").join("-") })';

interface Lesson {
  readonly directive: string;
  readonly example: (n: number) => readonly [Json, Json];
  /** Drafts of the model, of which the first is wrong. */
  readonly drafts: readonly string[];
}

/** Skills to learn. */
const LESSONS: Readonly<Record<string, Lesson>> = {
  'csv-total': {
    directive: 'Totals the amounts of a CSV',
    example: (n) => [{ csv: `a,${n}\nb,${n}` }, { total: 2 * n }],
    drafts: ['export default ({ csv }) => {', TOTAL], // does not parse
  },
  'invoice-date': {
    directive: 'Writes the date of an invoice',
    example: (n) => [{ date: `2026-0${n}-03` }, { text: `${n}/3/2026` }],
    drafts: [
      'export default () => { for (;;); }', // never ends
      'export default ({ date }) => { const [y, m, d] = date.split("-"); return { text: [+m, +d, y].join("/") }; }',
    ],
  },
  'title-slug': {
    directive: 'Turns a title into a slug',
    example: (n) => [{ title: `News ${n}` }, { slug: `news-${n}` }],
    drafts: ['export default () => ({ slug: "news-1" })', SLUG], // knows one answer
  },
};

/** Directives with eight examples each. */
export const lessons = Object.values(LESSONS).map(({ directive, example }) => ({
  directive,
  examples: [1, 2, 3, 4, 5, 6, 7, 8].map(example),
}));

/** Stand-in for your model. */
export function skillWriter(): ScriptedModel {
  const drafts = new Map(Object.entries(LESSONS).map(([name, lesson]) => [name, [...lesson.drafts]]));
  const edits = [
    { tool: 'write', path: 'scripts/main.js', text: SLUG.replace('title.', 'title.trim().') },
    { tool: 'complete', path: '', text: '' },
  ];
  return new ScriptedModel(({ messages, schema }) => ({
    kind: 'json',
    json: answer(JSON.stringify(messages), schema),
  }));

  function answer(asked: string, schema: unknown): Json {
    const { properties } = schema as { readonly properties: object }; // each request of skills has such a schema
    if ('tool' in properties) return edits.shift() ?? null;
    if ('cause' in properties) return { cause: 'the code is wrong', change: 'write it again' };
    // A request for code also lists the skills that it may import.
    const written = [...drafts.keys()].find((name) => asked.includes(`the skill ${name}.`));
    if ('code' in properties) return { language: 'javascript', code: drafts.get(written ?? '')?.shift() ?? '' };
    const [name, lesson] = Object.entries(LESSONS).find(([, { directive }]) => asked.includes(directive)) ?? [];
    const asks = { hosts: [], read: [], write: [] };
    return { name: name ?? '', description: lesson?.directive ?? '', whenNot: '', steps: [], asks };
  }
}
