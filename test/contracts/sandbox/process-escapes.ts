import { attempt, type Escape, fails, gives } from './escape.js';

const held = (body: string) => `try { ${body} } catch { return 'held' } return 'reached'`;
const from = (module: string) => `(await import('node:${module}'))`;
const HELD = gives('held');

/** Programs that use Node against the process sandbox. */
export const PROCESS_ESCAPES: readonly Escape[] = [
  attempt('a worker thread', held(`new (${from('worker_threads')}.Worker)('1', { eval: true })`), HELD),
  attempt('a child', held(`${from('child_process')}.spawnSync('true')`), HELD),
  attempt('a cluster', held(`${from('cluster')}.default.fork()`), HELD),
  attempt('a native module', held(`process.dlopen({ exports: {} }, '/usr/lib/libc.so.6')`), HELD),
  attempt('an inspector', held(`${from('inspector')}.open(0, '127.0.0.1')`), HELD),
  attempt(
    'the environment of its parent',
    held(`${from('fs')}.readFileSync('/proc/' + process.ppid + '/environ')`),
    HELD,
  ),
  attempt('memory of the first process', held(`${from('fs')}.openSync('/proc/1/mem', 'r+')`), HELD),
  attempt('a file of its own', held(`${from('fs')}.writeFileSync('/tmp/x', 'x')`), HELD),
  attempt('its scratch folder', held(`${from('fs')}.writeFileSync('x', 'x'.repeat(1e6))`), HELD),
  attempt('a link', held(`${from('fs')}.symlinkSync('/etc/passwd', 'l')`), HELD),
  attempt('shared memory', held(`${from('fs')}.writeFileSync('/dev/shm/x', 'x')`), HELD),
  attempt('a socket of the machine', held(`${from('fs')}.readdirSync('/run')`), HELD),
  attempt(
    'a datagram',
    `return await new Promise(async (resolve) => ${from('dgram')}.createSocket('udp4').on('error', () => resolve('held'))
      .send('x', 53, '8.8.8.8', (error) => resolve(error ? 'held' : 'reached')))`,
    HELD,
  ),
  attempt(
    'zeros without end',
    `for (;;) ${from('fs')}.readFileSync('/dev/zero')`,
    fails('error', 'memory', 'crashed', 'timeout'),
  ),
  attempt(
    'an end before its time',
    `${from('fs')}.writeSync(3, JSON.stringify({ output: '1', calls: [{ function: 'files.read', target: 'x'.repeat(9000) }, 7, null] })); process.exit(0)`,
    gives(1),
  ),
];
