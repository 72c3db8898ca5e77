import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const home = 'node_modules/rsi-loop';
const { bin, version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'));
const rsi = (args, input = '') =>
  spawnSync(process.execPath, [`${home}/${bin.rsi}`, ...args], { encoding: 'utf8', input });

assert.equal(bin['rsi-loop'], bin.rsi, 'package runners look for a command of the name of the package');
assert.equal(rsi(['--version']).stdout.trim(), version);
assert.match(rsi(['--help']).stdout, /Usage: rsi/);
assert.equal(rsi(['analyse']).status, 2);

const { stdout, stderr, status } = rsi(['analyze', '--json'], '{"task":"a","success":false,"error":"ETIMEDOUT"}\n');
assert.equal(status, 0, stderr);
assert.equal(JSON.parse(stdout).patterns[0].issue, 'timeout');

// A hook of an agent, and what it left taken in by another process.
const failed = { session_id: 's', hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: 'Exit code 1' };
assert.equal(rsi(['hook', 'claude', '--store', 'data', '--no-background'], JSON.stringify(failed)).stdout, '{}\n');
const taken = rsi(['watch', 'data/hooks/inbox', '--store', 'data', '--once', '--settle', '0']);
assert.match(taken.stdout, /^1 record, 1 file read/, taken.stderr);

const streaming = rsi(['serve', '--port', '0', '--redis', 'redis://127.0.0.1:1']);
assert.equal(streaming.status, 2, streaming.stdout);
assert.match(streaming.stderr, /--redis cannot load the package ioredis/);

// Its own packages are loaded when they are needed.
const server = spawn(process.execPath, [`${home}/${bin.rsi}`, 'serve', '--port', '0', '--dashboard']);
const [printed] = await once(server.stdout, 'data');
const url = /listening on (\S+),/.exec(String(printed))?.[1];
assert.equal((await fetch(`${url}/health`)).status, 200);
assert.match(await (await fetch(`${url}/dashboard/`)).text(), /<base href="\/dashboard\/">/);
assert.equal(
  (await fetch(`${url}/dashboard/dashboard.js`)).headers.get('content-type'),
  'text/javascript; charset=utf-8',
);
server.kill('SIGINT');
assert.deepEqual(await once(server, 'exit'), [130, null]);
