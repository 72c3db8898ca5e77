import { describe, expect, it } from 'vitest';
import { composeFile, systemdUnits } from '../../../integrations/cli/services/print.js';
import { readPs } from '../../../integrations/cli/services/processes.js';
import { serviceOf } from '../../../integrations/cli/services/service.js';
import { mustHaveGroups } from '../../../integrations/cli/services/start.js';

const rsi = ['/usr/bin/node', '/opt/rsi.js'];
const at = { rsi, folder: '/srv/my agent' };
const env = { A: 'b "c" $x %y', HF_TOKEN: 'hf_abcdefghijklmnopqrstuvwxyz123456' };
const vllm = serviceOf('vllm', { vllm: { command: ['vllm', 'serve', 'a b', '$HOME', '100%', 'say "x"\n'], env } }, at);

describe('rsi services print', () => {
  it('quotes every word for systemd, and leaves secrets out', () => {
    const unit = systemdUnits([vllm], { PATH: '' });
    expect(unit).toContain('ExecStart=vllm serve "a b" "$$HOME" 100%% "say \\"x\\"\\n"\n');
    expect(unit).toContain('WorkingDirectory=/srv/my agent\n');
    expect(unit).toContain('Environment="A=b \\"c\\" $x %%y"\n');
    expect(unit).toContain('# holds HF_TOKEN=...\nEnvironmentFile=%h/.config/rsi/vllm.env\n');
    expect(unit).not.toContain('hf_abc');
  });

  it('finds the program as the shell would, because systemd searches other folders', () => {
    const node = serviceOf('x', { x: { command: ['node', 'a.js'] } }, at);
    expect(systemdUnits([node])).toMatch(/\nExecStart=\/\S+\/node a\.js\n/);
  });

  it('prints a compose file whose values are JSON, with the image that is known, and leaves secrets out', () => {
    const text = composeFile(
      [vllm, serviceOf('hub', {}, at), serviceOf('mine', { mine: { command: ['a'] } }, at)],
      rsi,
    );
    expect(text).toContain('# mine is left out, because no image is known for it: set services.mine.image\n');
    expect(text).toContain('    image: "vllm/vllm-openai"\n    entrypoint: ["vllm"]\n');
    expect(text).toContain('    command: ["serve","a b","$$HOME","100%","say \\"x\\"\\n"]\n');
    expect(text).toContain('      "A": "b \\"c\\" $$x %y"\n');
    expect(text).toMatch(/\n {6}"HF_TOKEN": "\$\{HF_TOKEN\}"\n/);
    expect(text).toContain('    entrypoint: ["npx"]\n    command: ["--yes","rsi-loop","serve"]\n');
    expect(() => composeFile([serviceOf('mine', { mine: { command: ['a'] } }, at)], rsi)).toThrow(
      'no image is known for mine: set services.mine.image',
    );
  });
});

describe('a service', () => {
  it('needs a command, unless it is known by name', () => {
    expect(serviceOf('ollama', {}, at)).toMatchObject({ command: ['ollama', 'serve'], cwd: '/srv/my agent' });
    expect(serviceOf('hub', {}, at).command).toEqual([...rsi, 'serve']);
    expect(() => serviceOf('vllm', {}, at)).toThrow(
      "services.vllm has no command: give one such as ['vllm', 'serve', 'Qwen/Qwen3-8B'] in rsi.config",
    );
    expect(() => serviceOf('toString', {}, at)).toThrow('there is no service "toString"');
  });

  it('is found in the output of ps of macOS by its group and its token, and zombies are not', () => {
    const text = [
      '  101   101 Ss   Sun Nov 22 23:10:01 2026     node fake.mjs RUN_BY_RSI_SERVICES=t1 PATH=/bin',
      '  102   101 S+   Sun Nov  2 03:10:02 2026     python -m x',
      '  103   103 Z    Sun Nov 22 23:10:03 2026     (node)',
      '',
    ].join('\n');
    expect(readPs(text, 't1')).toEqual([
      { pid: 101, group: 101, started: 'Sun Nov 22 23:10:01 2026', isMarked: true },
      { pid: 102, group: 101, started: 'Sun Nov 2 03:10:02 2026', isMarked: false },
    ]);
  });

  it('is not started on Windows, where its children could not be stopped', () => {
    expect(() => mustHaveGroups('start', 'win32')).toThrow('Windows has no process groups');
    expect(() => mustHaveGroups('print', 'win32')).not.toThrow();
  });
});
