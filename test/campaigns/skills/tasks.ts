import type { Json } from '../../../src/contract/json.js';
import type { Random } from '../../../src/lib/random.js';

/** Task to learn, with drafts that are wrong in ways that models are. */
export interface LearnedTask {
  readonly name: string;
  readonly input: (random: Random) => Json;
  /** The right code. */
  readonly code: string;
  readonly wrong: readonly string[];
}

const whole = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const several = <Member>(random: Random, most: number, make: () => Member) =>
  Array.from({ length: whole(random, 1, most) }, make);
const WORDS = ['Tea', 'coffee', 'Big apple', 'TEA', 'x_y', 'milk', 'a-b', 'Rye  bread', 'milk', 'Egg!'];
const word = (random: Random) => WORDS[Math.floor(random() * WORDS.length)] ?? '';
const main = (body: string) => `export default (input) => { ${body} };`;

export const TASKS: readonly LearnedTask[] = [
  {
    name: 'csv-total',
    input: (random) => ({
      csv: several(random, 6, () => `row,${random() < 0.2 ? '' : whole(random, -400, 900) / 4}`).join('\n'),
    }),
    code: main('return input.csv.split("\\n").reduce((sum, line) => sum + (Number(line.split(",")[1]) || 0), 0);'),
    wrong: [
      main('return input.csv.split("\\n").reduce((sum, line) => sum + (parseInt(line.split(",")[1]) || 0), 0);'),
      main('return input.csv.split("\\n").slice(1).reduce((sum, line) => sum + (Number(line.split(",")[1]) || 0), 0);'),
      main(
        'return input.csv.split("\\n").reduce((sum, line) => sum + Math.max(0, Number(line.split(",")[1]) || 0), 0);',
      ),
    ],
  },
  {
    name: 'median',
    input: (random) => ({ numbers: several(random, 7, () => whole(random, -20, 120)) }),
    code: main(
      'const s = [...input.numbers].sort((a, b) => a - b); if (s.length === 0) return 0; const m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;',
    ),
    wrong: [
      main('const s = [...input.numbers].sort(); return s[s.length >> 1] ?? 0;'),
      main('const s = [...input.numbers].sort((a, b) => a - b); return s[s.length >> 1] ?? 0;'),
      main('const s = input.numbers; return s.length ? s.reduce((a, b) => a + b, 0) / s.length : 0;'),
    ],
  },
  {
    name: 'slug',
    input: (random) => ({ title: several(random, 4, () => word(random)).join(' ') }),
    code: main('return input.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");'),
    wrong: [
      main('return input.title.toLowerCase().replace(/ /g, "-");'),
      main('return input.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");'),
      main('return input.title.toLowerCase().replace(/[^a-z0-9_]+/g, "-").replace(/^-|-$/g, "");'),
      main('return input.title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");'),
    ],
  },
  {
    name: 'roman',
    input: (random) => ({ n: whole(random, 1, 99) }),
    code: main(
      'let n = Math.max(0, Math.min(3999, Math.floor(input.n) || 0)), out = ""; for (const [v, s] of [[1000,"M"],[900,"CM"],[500,"D"],[400,"CD"],[100,"C"],[90,"XC"],[50,"L"],[40,"XL"],[10,"X"],[9,"IX"],[5,"V"],[4,"IV"],[1,"I"]]) while (n >= v) { out += s; n -= v; } return out;',
    ),
    wrong: [
      main(
        'let n = Math.max(0, Math.min(3999, Math.floor(input.n) || 0)), out = ""; for (const [v, s] of [[50,"L"],[10,"X"],[5,"V"],[1,"I"]]) while (n >= v) { out += s; n -= v; } return out;',
      ),
      main(
        'let n = Math.max(0, Math.min(3999, Math.floor(input.n) || 0)), out = ""; for (const [v, s] of [[50,"L"],[40,"XL"],[10,"X"],[9,"IX"],[5,"V"],[4,"IV"],[1,"I"]]) while (n >= v) { out += s; n -= v; } return out;',
      ),
    ],
  },
  {
    name: 'dedupe',
    input: (random) => ({ items: several(random, 8, () => word(random)) }),
    code: main('return [...new Set(input.items)];'),
    wrong: [
      main('return [...new Set(input.items)].sort();'),
      main('return [...new Map(input.items.map((one) => [one.toLowerCase(), one])).values()];'),
      main('return input.items.filter((one, at) => one !== input.items[at - 1]);'),
      main('return [...new Set(input.items.reverse())].reverse();'),
    ],
  },
  {
    name: 'leap-year',
    input: (random) => ({ year: random() < 0.4 ? 100 * whole(random, 16, 24) : whole(random, 1600, 2400) }),
    code: main('const y = input.year; return (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;'),
    wrong: [
      main('return input.year % 4 === 0;'),
      main('return input.year % 4 === 0 && input.year % 100 !== 0;'),
      main('return input.year % 2 === 0;'),
    ],
  },
  {
    name: 'percent',
    input: (random) => ({ part: whole(random, 0, 40), whole: random() < 0.15 ? 0 : whole(random, 1, 40) }),
    code: main('return input.whole === 0 ? 0 : Math.round((1000 * input.part) / input.whole) / 10;'),
    wrong: [
      main('return input.whole === 0 ? 0 : Math.round((100 * input.part) / input.whole);'),
      main('return input.whole === 0 ? 0 : Math.floor((1000 * input.part) / input.whole) / 10;'),
      main('return Math.min(100, input.whole === 0 ? 0 : Math.round((1000 * input.part) / input.whole) / 10);'),
    ],
  },
  {
    name: 'truncate',
    input: (random) => ({ text: several(random, 5, () => word(random)).join(' '), most: whole(random, 3, 20) }),
    code: main(
      'const m = Math.max(1, Math.floor(input.most)); return input.text.length <= m ? input.text : input.text.slice(0, m - 1) + "…";',
    ),
    wrong: [
      main('return input.text.slice(0, Math.max(0, input.most));'),
      main(
        'const m = Math.max(1, Math.floor(input.most)); return input.text.length < m ? input.text : input.text.slice(0, m - 1) + "…";',
      ),
      main(
        'const m = Math.max(1, Math.floor(input.most)); return input.text.length <= m ? input.text : input.text.slice(0, m) + "…";',
      ),
    ],
  },
];
