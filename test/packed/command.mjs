import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const home = 'node_modules/rsi-loop';
const { bin, version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'));
const rsi = (args, input = '') =>
  spawnSync(process.execPath, [`${home}/${bin.rsi}`, ...args], { encoding: 'utf8', input });

assert.equal(rsi(['--version']).stdout.trim(), version);
assert.match(rsi(['--help']).stdout, /Usage: rsi/);
assert.equal(rsi(['analyse']).status, 2);

const { stdout, stderr, status } = rsi(['analyze', '--json'], '{"task":"a","success":false,"error":"ETIMEDOUT"}\n');
assert.equal(status, 0, stderr);
assert.equal(JSON.parse(stdout).patterns[0].issue, 'timeout');

// What it carries with it is loaded when it is needed.
const server = spawn(process.execPath, [`${home}/${bin.rsi}`, 'serve', '--port', '0']);
const [printed] = await once(server.stdout, 'data');
const url = /listening on (\S+),/.exec(String(printed))?.[1];
assert.equal((await fetch(`${url}/health`)).status, 200);
server.kill('SIGINT');
assert.deepEqual(await once(server, 'exit'), [0, null]);
