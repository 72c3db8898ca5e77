// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are bodies of functions
/** Function with a bug: it throws for input that it should take. */
export interface SeededBug {
  readonly name: string;
  readonly parameters: string;
  readonly buggy: string;
  readonly right: string;
  /** Arguments of the call that fails in production. */
  readonly failing: readonly unknown[];
  /** Calls with what they should return; those that the buggy function gets wrong are the tests for the bug. */
  readonly cases: readonly (readonly [args: readonly unknown[], expected: unknown])[];
}

type Row = readonly [
  name: string,
  parameters: string,
  buggy: string,
  right: string,
  failing: readonly unknown[],
  cases: readonly (readonly [readonly unknown[], unknown])[],
];

// biome-ignore format: one bug per block of lines
const ROWS: readonly Row[] = [
  ['price', 'item', 'return item.price.toFixed(2);', "const price = item.price ?? item.amount?.value; if (price === undefined) throw new TypeError('no price and no amount'); return price.toFixed(2);",
    [{ amount: { value: 7 } }], [[[{ price: 3 }], '3.00'], [[{ price: 4.5 }], '4.50'], [[{ amount: { value: 7 } }], '7.00'], [[{ amount: { value: 2.25 } }], '2.25']]],
  ['city', 'user', 'return user.address.city.trim();', "const city = user.address?.city ?? user.city; if (city === undefined) throw new TypeError('no city'); return city.trim();",
    [{ city: ' Rome ' }], [[[{ address: { city: 'Oslo ' } }], 'Oslo'], [[{ address: { city: 'Bern' } }], 'Bern'], [[{ city: ' Rome ' }], 'Rome'], [[{ city: 'Kyiv' }], 'Kyiv']]],
  ['initials', 'name', "return name.split(' ').map((part) => part[0].toUpperCase()).join('');", "return name.trim().split(/ +/).map((part) => part[0].toUpperCase()).join('');",
    ['ada  lovelace'], [[['ada lovelace'], 'AL'], [['alan mathison turing'], 'AMT'], [['ada  lovelace'], 'AL'], [[' grace hopper'], 'GH']]],
  ['average', 'values', "return values.map((value) => value.toString()).reduce((sum, value) => sum + Number(value), 0) / values.length;", "const known = values.filter((value) => value !== null); return known.reduce((sum, value) => sum + Number(value), 0) / known.length;",
    [[1, null, 3]], [[[[1, 2, 3]], 2], [[[4, 8]], 6], [[[1, null, 3]], 2], [[[null, 5, 7]], 6]]],
  ['firstWord', 'text', "return text.match(/[a-z]+/)[0];", "return text.toLowerCase().match(/[a-z]+/)[0];",
    ['HELLO THERE'], [[['hello there'], 'hello'], [['one two'], 'one'], [['HELLO THERE'], 'hello'], [['ABC'], 'abc']]],
  ['parseAmount', 'text', "const [, whole, part] = /^(\\d+)\\.(\\d+)$/.exec(text); return Number(whole) + Number(part) / 10 ** part.length;", "const [, whole, part = '0'] = /^(\\d+)(?:\\.(\\d+))?$/.exec(text); return Number(whole) + Number(part) / 10 ** part.length;",
    ['12'], [[['1.5'], 1.5], [['20.25'], 20.25], [['12'], 12], [['7'], 7]]],
  ['lastItem', 'list', "return list[list.length].id;", "return list[list.length - 1].id;",
    [[{ id: 1 }, { id: 2 }]], [[[[{ id: 1 }, { id: 2 }]], 2], [[[{ id: 9 }]], 9], [[[{ id: 3 }, { id: 4 }, { id: 5 }]], 5]]],
  ['total', 'order', "let sum = 0; for (const line of order.lines) sum += line.count * line.product.price; return sum;", "let sum = 0; for (const line of order.lines) { const price = line.product ? line.product.price : line.price; if (price === undefined) throw new TypeError('a line has no price'); sum += line.count * price; } return sum;",
    [{ lines: [{ count: 2, price: 5 }] }], [[[{ lines: [{ count: 2, product: { price: 3 } }] }], 6], [[{ lines: [{ count: 1, product: { price: 4 } }, { count: 3, product: { price: 2 } }] }], 10], [[{ lines: [{ count: 2, price: 5 }] }], 10], [[{ lines: [{ count: 4, price: 2 }] }], 8]]],
  ['label', 'entry', "return entry.name.toUpperCase();", "const name = entry.name ?? entry.label; if (name === undefined) throw new TypeError('neither name nor label'); return name.toUpperCase();",
    [{ label: 'new' }], [[[{ name: 'a' }], 'A'], [[{ name: 'bc' }], 'BC'], [[{ label: 'new' }], 'NEW'], [[{ label: 'z' }], 'Z']]],
  ['hours', 'text', "const [hours, minutes] = text.split(':'); return Number(hours) + Number(minutes.trim()) / 60;", "const [hours, minutes = '0'] = text.split(':'); return Number(hours) + Number(minutes.trim()) / 60;",
    ['9'], [[['1:30'], 1.5], [['10:15'], 10.25], [['9'], 9], [['11'], 11]]],
  ['domain', 'address', "return address.split('@')[1].toLowerCase();", "return (address.includes('<') ? address.slice(address.indexOf('<') + 1, -1) : address).replace('%40', '@').split('@')[1].toLowerCase();",
    ['ada%40Home.org'], [[['ada@Home.org'], 'home.org'], [['x@y.com'], 'y.com'], [['ada%40Home.org'], 'home.org'], [['bob%40B.net'], 'b.net']]],
  ['ratio', 'text', "const [one, other] = text.split('/'); return Number(one) / Number(other.trim());", "const [one, other = '1'] = text.split('/'); return Number(one) / Number(other.trim());",
    ['6'], [[['1/2'], 0.5], [['9/3'], 3], [['6'], 6], [['8'], 8]]],
  ['csvRow', 'line', "return line.split(',').map((cell) => JSON.parse(cell));", "return line.split(',').map((cell) => (/^[\\d\"]/.test(cell) ? JSON.parse(cell) : cell));",
    ['1,two'], [[['1,2'], [1, 2]], [['"a",3'], ['a', 3]], [['1,two'], [1, 'two']], [['x,"y"'], ['x', 'y']]]],
  ['depth', 'node', "return 1 + Math.max(...node.items.map((item) => depth(item)), 0);", "return Array.isArray(node) ? Math.max(...node.map((item) => depth(item)), 0) : 1 + Math.max(...node.items.map((item) => depth(item)), 0);",
    [[{ items: [] }]], [[[{ items: [] }], 1], [[{ items: [{ items: [] }] }], 2], [[[{ items: [] }]], 1], [[[{ items: [{ items: [] }] }]], 2]]],
  ['percent', 'part, whole', "return `${((part / whole) * 100).toFixed(whole.digits.length)} %`;", "return `${((part / whole) * 100).toFixed(0)} %`;",
    [1, 4], [[[1, 4], '25 %'], [[1, 2], '50 %'], [[3, 4], '75 %']]],
  ['keysOf', 'value', "return Object.keys(value.fields).sort();", "return Object.keys(value.fields ?? value.properties).sort();",
    [{ properties: { b: 1, a: 2 } }], [[[{ fields: { x: 1 } }], ['x']], [[{ fields: { z: 1, y: 2 } }], ['y', 'z']], [[{ properties: { b: 1, a: 2 } }], ['a', 'b']], [[{ properties: { c: 1 } }], ['c']]]],
  ['roman', 'count', "const table = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]; let text = ''; for (const [value, sign] of table) while (count >= value) { text += sign; count -= value; if (text.length > 3) throw new Error('too long'); } return text;", "const table = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]; let text = ''; for (const [value, sign] of table) while (count >= value) { text += sign; count -= value; } return text;",
    [18], [[[3], 'III'], [[4], 'IV'], [[18], 'XVIII'], [[27], 'XXVII'], [[38], 'XXXVIII']]],
  ['merge', 'one, other', "return { ...one, tags: [...one.tags, ...other.tags] };", "const tagsOf = (part) => { if (part.tags === undefined) throw new TypeError('no tags'); return Array.isArray(part.tags) ? part.tags : [part.tags]; }; return { ...one, tags: [...tagsOf(one), ...tagsOf(other)] };",
    [{ tags: 7 }, { tags: ['a'] }], [[[{ tags: ['x'] }, { tags: ['y'] }], { tags: ['x', 'y'] }], [[{ id: 1, tags: [] }, { tags: ['y'] }], { id: 1, tags: ['y'] }], [[{ tags: 7 }, { tags: ['a'] }], { tags: [7, 'a'] }], [[{ tags: ['b'] }, { tags: 8 }], { tags: ['b', 8] }]]],
  ['nextDate', 'text', "const date = new Date(`${text}T00:00:00Z`); date.setUTCDate(date.getUTCDate() + 1); return date.toISOString().slice(0, 10);", "const date = new Date(`${text.slice(0, 10)}T00:00:00Z`); date.setUTCDate(date.getUTCDate() + 1); return date.toISOString().slice(0, 10);",
    ['2024-02-28T10:00:00Z'], [[['2024-02-28'], '2024-02-29'], [['2023-12-31'], '2024-01-01'], [['2024-02-28T10:00:00Z'], '2024-02-29'], [['2024-05-01T23:00:00Z'], '2024-05-02']]],
  ['unit', 'text', "const { number, unit } = /^(?<number>\\d+)(?<unit>[a-z]+)$/.exec(text).groups; return [Number(number), unit];", "const { number, unit } = /^(?<number>\\d+) *(?<unit>[a-z]+)$/.exec(text).groups; return [Number(number), unit];",
    ['5 kg'], [[['3m'], [3, 'm']], [['20ms'], [20, 'ms']], [['5 kg'], [5, 'kg']], [['7 km'], [7, 'km']]]],
  ['groupBy', 'rows', "const groups = {}; for (const { kind, id } of rows) groups[kind].push(id); return groups;", "const groups = {}; for (const { kind, id } of rows) (groups[kind] ??= []).push(id); return groups;",
    [[{ kind: 'a', id: 1 }]], [[[[]], {}], [[[{ kind: 'a', id: 1 }]], { a: [1] }], [[[{ kind: 'a', id: 1 }, { kind: 'b', id: 2 }, { kind: 'a', id: 3 }]], { a: [1, 3], b: [2] }]]],
  ['slug', 'title', "return title.toLowerCase().replaceAll(' ', '-');", "return String(title).toLowerCase().replaceAll(' ', '-');",
    [2024], [[['A b'], 'a-b'], [['One Two Three'], 'one-two-three'], [[2024], '2024'], [[7], '7']]],
  ['range', 'from, to', "return Array.from({ length: to - from }, (_, index) => from + index).concat(new Array(to - from - 1).fill(0).slice(to));", "return Array.from({ length: to - from }, (_, index) => from + index);",
    [3, 3], [[[1, 4], [1, 2, 3]], [[0, 2], [0, 1]], [[3, 3], []], [[5, 5], []]]],
  ['bits', 'value', "return value.toString(2).padStart(8, '0').split('').map((bit) => Number(bit)).filter((bit) => bit === 1).length + BigInt.asUintN(8, value).toString().length * 0;", "return value.toString(2).split('').filter((bit) => bit === '1').length;",
    [5], [[[5n], 2], [[255n], 8], [[5], 2], [[8], 1]]],
  ['join', 'parts', "return parts.map((part) => part.text.trim()).join(' ');", "return parts.map((part) => (typeof part === 'string' ? part : part.text).trim()).join(' ');",
    [['a', { text: 'b ' }]], [[[[{ text: 'x' }]], 'x'], [[[{ text: 'x ' }, { text: 'y' }]], 'x y'], [[['a', { text: 'b ' }]], 'a b'], [[['c']], 'c']]],
  ['count', 'text, word', "return [...text.matchAll(new RegExp(word, 'g'))].length;", "return text.split(word).length - 1;",
    ['1+1 and (1', '('], [[['a b a', 'a'], 2], [['x', 'y'], 0], [['1+1 and (1', '('], 1], [['((', '('], 2]]],
  ['age', 'born, now', "return now.getFullYear() - born.getFullYear();", "const year = (date) => (date instanceof Date ? date : new Date(date)).getFullYear(); return year(now) - year(born);",
    ['2000-06-01', new Date('2024-06-01')], [[[new Date('2000-06-01'), new Date('2024-06-01')], 24], [[new Date('1990-06-01'), new Date('2020-06-01')], 30], [['2000-06-01', new Date('2024-06-01')], 24], [['2010-06-01', new Date('2024-06-01')], 14]]],
  ['lookup', 'table, key', "return table.get(key).value;", "const row = table instanceof Map ? table.get(key) : table[key]; return row.value;",
    [{ a: { value: 1 } }, 'a'], [[[new Map([['a', { value: 1 }]]), 'a'], 1], [[new Map([['b', { value: 2 }]]), 'b'], 2], [[{ a: { value: 1 } }, 'a'], 1], [[{ c: { value: 3 } }, 'c'], 3]]],
  ['chunk', 'list, size', "const parts = []; for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size)); if (parts.at(-1).length > size) throw new Error('too long'); return parts;", "const parts = []; for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size)); return parts;",
    [[], 2], [[[[1, 2, 3], 2], [[1, 2], [3]]], [[[1], 5], [[1]]], [[[], 2], []], [[[], 7], []]]],
  ['invert', 'map', "const result = {}; for (const [key, value] of Object.entries(map)) result[value.toLowerCase()] = key; return result;", "const result = {}; for (const [key, value] of Object.entries(map)) result[String(value).toLowerCase()] = key; return result;",
    [{ a: 1 }], [[[{ a: 'X' }], { x: 'a' }], [[{ a: 'B', c: 'D' }], { b: 'a', d: 'c' }], [[{ a: 1 }], { 1: 'a' }], [[{ k: 22 }], { 22: 'k' }]]],
  ['version', 'text', "const [major, minor, patch] = text.split('.').map(Number); return [major, minor, patch].map((part) => part.toFixed(0)).join('.');", "const [major, minor = 0, patch = 0] = text.split('.').map(Number); return [major, minor, patch].map((part) => part.toFixed(0)).join('.');",
    ['4.1'], [[['1.2.3'], '1.2.3'], [['01.0.0'], '1.0.0'], [['4.1'], '4.1.0'], [['7'], '7.0.0']]],
  ['title', 'page', "return page.headings.find((heading) => heading.level === 1).text;", "return (page.headings.find((heading) => heading.level === 1) ?? page.headings[0]).text;",
    [{ headings: [{ level: 2, text: 'B' }] }], [[[{ headings: [{ level: 1, text: 'A' }] }], 'A'], [[{ headings: [{ level: 2, text: 'x' }, { level: 1, text: 'y' }] }], 'y'], [[{ headings: [{ level: 2, text: 'B' }] }], 'B'], [[{ headings: [{ level: 3, text: 'C' }, { level: 2, text: 'D' }] }], 'C']]],
  ['sumDigits', 'value', "return value.split('').reduce((sum, digit) => sum + Number(digit), 0);", "return String(value).split('').reduce((sum, digit) => sum + Number(digit), 0);",
    [123], [[['12'], 3], [['999'], 27], [[123], 6], [[40], 4]]],
  ['sortNames', 'people', "return people.map((person) => person.name.trim()).sort((a, b) => a.localeCompare(b));", "return people.map((person) => person.name ?? `${person.first} ${person.last}`).sort((a, b) => a.localeCompare(b));",
    [[{ first: 'Z', last: 'Y' }, { name: 'B' }]], [[[[{ name: 'b' }, { name: 'a' }]], ['a', 'b']], [[[{ name: 'x' }]], ['x']], [[[{ first: 'Z', last: 'Y' }, { name: 'B' }]], ['B', 'Z Y']], [[[{ name: 'M' }, { first: 'C', last: 'D' }]], ['C D', 'M']]]],
  ['seconds', 'text', "const [, value, unit] = /^(\\d+)(s|m)$/.exec(text); return Number(value) * { s: 1, m: 60 }[unit];", "const [, value, unit] = /^(\\d+)(s|m|h)$/.exec(text); return Number(value) * { s: 1, m: 60, h: 3600 }[unit];",
    ['2h'], [[['5s'], 5], [['3m'], 180], [['2h'], 7200], [['1h'], 3600]]],
  ['unique', 'values', "const seen = {}; return values.filter((value) => { const key = value.toFixed(3); if (seen[key]) return false; seen[key] = true; return true; });", "const seen = new Set(); return values.filter((value) => { const key = typeof value === 'number' ? value.toFixed(3) : value; if (seen.has(key)) return false; seen.add(key); return true; });",
    [['a', 'a', 'b']], [[[[1, 1, 2]], [1, 2]], [[[3]], [3]], [[['a', 'a', 'b']], ['a', 'b']], [[['x', 4, 'x']], ['x', 4]]]],
  ['path', 'object, keys', "return keys.split('.').reduce((at, key) => at[key].value, object);", "return keys.split('.').reduce((at, key) => { const next = at[key]; if (next === undefined) throw new RangeError('no such key'); return typeof next === 'object' && 'value' in next ? next.value : next; }, object);",
    [{ a: { b: 3 } }, 'a.b'], [[[{ a: { value: 1 } }, 'a'], 1], [[{ a: { value: { b: { value: 2 } } } }, 'a.b'], 2], [[{ a: { b: 3 } }, 'a.b'], 3], [[{ x: { y: 4 } }, 'x.y'], 4]]],
  ['wrap', 'text, width', "const lines = []; while (text.length > 0) { const cut = text.lastIndexOf(' ', width); if (cut < 0 && text.length > width) throw new RangeError('a word is too long'); lines.push(text.length <= width ? text : text.slice(0, cut)); text = text.length <= width ? '' : text.slice(cut + 1); } return lines;", "const lines = []; while (text.length > 0) { const cut = text.lastIndexOf(' ', width); const end = text.length <= width ? text.length : cut < 0 ? width : cut; lines.push(text.slice(0, end)); text = text.slice(text[end] === ' ' ? end + 1 : end); } return lines;",
    ['abcdefgh', 4], [[['ab cd', 10], ['ab cd']], [['ab cd', 3], ['ab', 'cd']], [['abcdefgh', 4], ['abcd', 'efgh']], [['abcdef', 3], ['abc', 'def']]]],
  ['decode', 'text', "return decodeURIComponent(text);", "return decodeURIComponent(text.replace(/%(?![0-9a-fA-F]{2})/g, '%25'));",
    ['100%'], [[['a%20b'], 'a b'], [['x'], 'x'], [['100%'], '100%'], [['5% of %41'], '5% of A']]],
  ['idOf', 'text', "return JSON.parse(text).id;", "return JSON.parse(text.replace(/,\\s*}/, '}')).id;",
    ['{"id":3,}'], [[['{"id":1}'], 1], [['{"id":22}'], 22], [['{"id":3,}'], 3], [['{"id":4 , }'], 4]]],
];

export const BUGS: readonly SeededBug[] = ROWS.map(([name, parameters, buggy, right, failing, cases]) => {
  return { name, parameters, buggy, right, failing, cases };
});
