import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const home = 'node_modules/rsi-loop';
const { bin, version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'));
const rsi = (...args) => spawnSync(process.execPath, [`${home}/${bin.rsi}`, ...args], { encoding: 'utf8' });

assert.equal(rsi('--version').stdout.trim(), version);
assert.match(rsi('--help').stdout, /Usage: rsi/);
assert.equal(rsi('analyse').status, 2);
