import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LoopError, redact } from 'rsi-loop';
import type { Service } from './service.js';

/** Prints a systemd unit for each service, for a user's own systemd. Secrets are left out. */
export function systemdUnits(services: readonly Service[], environment: NodeJS.ProcessEnv = process.env): string {
  return services.map((service) => unitOf(service, environment)).join('\n');
}

function unitOf({ name, command, cwd, env, stopGraceMs }: Service, environment: NodeJS.ProcessEnv): string {
  const [program = '', ...args] = command;
  const { open, secret } = splitSecrets(env);
  const file = `%h/.config/rsi/${name}.env`;
  return [
    `# ~/.config/systemd/user/rsi-${name}.service`,
    `# systemctl --user daemon-reload && systemctl --user enable --now rsi-${name}`,
    '[Unit]',
    `Description=${name}, as configured for rsi services`,
    '',
    '[Service]',
    `WorkingDirectory=${escapeUnit(cwd)}`,
    ...open.map(([key, value]) => `Environment=${unitWord(`${key}=${value}`, { isCommand: false })}`),
    ...(secret.length > 0
      ? [`# holds ${secret.map((key) => `${key}=...`).join(' and ')}`, `EnvironmentFile=${file}`]
      : []),
    `ExecStart=${[onPath(program, environment), ...args].map((word) => unitWord(word, { isCommand: true })).join(' ')}`,
    'Restart=on-failure',
    'KillMode=control-group',
    `TimeoutStopSec=${Math.ceil(stopGraceMs / 1_000)}`,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** Quotes a word as systemd.service(5) says. */
function unitWord(word: string, { isCommand }: { readonly isCommand: boolean }): string {
  const escaped = escapeUnit(word.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
  const text = isCommand ? escaped.replaceAll('$', '$$$$') : escaped;
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `"${text}"`;
}

function escapeUnit(text: string): string {
  return text.replaceAll('%', '%%');
}

/** Prints a compose file. Services use the host's network, so that all addresses stay the same. Secrets are left out. */
export function composeFile(services: readonly Service[], rsi: readonly string[]): string {
  const withImage = services.flatMap((service) => {
    const isRsi = rsi.every((word, index) => service.command[index] === word);
    const command = isRsi ? ['npx', '--yes', 'rsi-loop', ...service.command.slice(rsi.length)] : service.command;
    const image = service.image ?? (isRsi ? 'node:22-slim' : undefined);
    return image === undefined ? [] : [{ ...service, image, command }];
  });
  const without = services.filter(({ name }) => !withImage.some((each) => each.name === name)).map(({ name }) => name);
  if (withImage.length === 0) {
    throw new LoopError(
      'invalid-input',
      `no image is known for ${without.join(', ')}: set services.${without[0]}.image`,
    );
  }
  return [
    '# docker compose up --detach',
    ...without.map((name) => `# ${name} is left out, because no image is known for it: set services.${name}.image`),
    'services:',
    ...withImage.flatMap(composeLines),
    '',
  ].join('\n');
}

function composeLines({ name, command, cwd, env, image, stopGraceMs }: Service & { readonly image: string }): string[] {
  const { open, secret } = splitSecrets(env);
  // JSON is YAML; a dollar sign would name a variable.
  const text = (value: unknown) => JSON.stringify(value).replaceAll('$', '$$$$');
  const variables = [
    ...open.map(([key, value]) => `      ${text(key)}: ${text(value)}`),
    // Compose takes these from the environment that it runs in.
    ...secret.map((key) => `      ${text(key)}: "\${${key}}"`),
  ];
  const hasGpu = /^(vllm|ollama)\//.test(image);
  return [
    `  ${text(name)}:`,
    `    image: ${text(image)}`,
    `    entrypoint: ${text(command.slice(0, 1))}`,
    `    command: ${text(command.slice(1))}`,
    `    working_dir: ${text(cwd)}`,
    `    volumes: [${text(`${cwd}:${cwd}`)}]`,
    '    network_mode: host',
    '    restart: on-failure',
    `    stop_grace_period: ${Math.ceil(stopGraceMs / 1_000)}s`,
    ...(variables.length > 0 ? ['    environment:', ...variables] : []),
    ...(hasGpu
      ? [
          '    deploy:',
          '      resources:',
          '        reservations:',
          '          devices:',
          '            - driver: nvidia',
          '              count: all',
          '              capabilities: [gpu]',
        ]
      : []),
  ];
}

/** Separates variables whose name or value looks like a secret: what is printed is often kept in a repository. */
function splitSecrets(env: Readonly<Record<string, string>>) {
  const isSecret = ([key, value]: readonly [string, string]) => redact(`${key}=${value}`) !== `${key}=${value}`;
  const all = Object.entries(env);
  return { open: all.filter((each) => !isSecret(each)), secret: all.filter(isSecret).map(([key]) => key) };
}

/** Returns the path of a program that the shell would find; systemd searches other folders. */
function onPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): string {
  if (program.includes('/')) return program;
  const found = PATH.split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
  return found === undefined ? program : join(found, program);
}
