import { describe, expect, it } from 'vitest';
import { mutantsOf } from '../../../integrations/heal/mutants.js';
import { powersIn } from '../../../integrations/heal/powers.js';

const MODULE = `import { rmSync, readFileSync as read } from 'node:fs';
import * as http from 'http';
import path from 'node:path';
const { exec } = require('child_process');
`;

describe('powersIn', () => {
  it.each([
    ["process.getBuiltinModule('fs').rmSync('test')", ['processes', 'code']],
    ["return fetch('https://example.com', { body: order })", ['network']],
    ['globalThis.copy = { ...process.env }', ['environment', 'code']],
    ['if (Date.now() > 1e12) return 1', ['time']],
    ['return new Date()', ['time']],
    ['const clock = Date; return clock', ['time']],
    ['return Math.random()', ['chance']],
    ["rmSync('test')", ['files']],
    ["return read('x')", ['files']],
    ["http.get('x')", ['network']],
    ["exec('rm')", ['processes']],
    ["return [].constructor.constructor('return 1')()", ['code']],
    ["return import('node:fs')", ['code']],
    ['return "unclosed', ['files', 'network', 'environment', 'processes', 'time', 'chance', 'code']],
  ])('names the powers of %s', (body, powers) => {
    expect([...powersIn(body, MODULE)].sort()).toEqual([...powers].sort());
  });

  it.each([
    'return new Date(order.at).getTime() + Date.UTC(2020, 1)',
    'return value instanceof Date',
    "return order.process + order.fetch + 'Date.now() fetch process.env'",
    '// eval(process.env)\nreturn path.join(order.folder, order.file)',
    'return /fetch/.test(order.self.window)',
  ])('names none in %s', (body) => {
    expect([...powersIn(body, MODULE)]).toEqual([]);
  });
});

describe('mutantsOf', () => {
  it('changes only what differs from the old body, one place each, and no texts', () => {
    const before = ' const a = 1; return order.price; ';
    const after = " const a = 1; return order.price ?? order.amount('1 === 1'); ";
    expect(mutantsOf(before, after, 5)).toEqual([
      " const a = 1; return order.price && order.amount('1 === 1'); ",
      " const a = 1; return order.price ?? order.amount_('1 === 1'); ",
    ]);
  });
});
