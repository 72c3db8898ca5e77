import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { programOf } from '../../integrations/cli/program.js';
import { SECRET_VARIABLES } from '../../integrations/cli/serve/secrets.js';
import { DEFAULT_PORT } from '../../integrations/sources/http/index.js';

const FOLDER = resolve(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** Part of a container that the tests look at. */
interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly variables: readonly string[];
}

interface Service {
  readonly command?: readonly string[];
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
}

interface Pod {
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string }[];
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly ports?: readonly { readonly containerPort: number }[];
  }[];
}

const compose: Readonly<Record<string, Service>> = parse(read('compose.yaml'), { merge: true }).services;
const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
const pods: readonly Pod[] = documents.flatMap(({ spec }) => (spec.template ? [spec.template.spec] : []));

const containers: readonly Container[] = [
  ...Object.entries(compose)
    .filter(([, { image }]) => image === 'rsi-loop')
    .map(([name, { command = [], environment = {} }]) => ({ name, command, variables: Object.keys(environment) })),
  ...pods.flatMap((pod) =>
    pod.containers.map(({ name, command, env }) => ({ name, command, variables: env.map((each) => each.name) })),
  ),
];

describe('the files of containers', () => {
  it('have seven containers of this image, and all of them run without rights', () => {
    expect(containers.map(({ name }) => name)).toEqual([
      ...['migrate', 'hub', 'agent-old', 'agent-new'],
      ...['migrate', 'hub', 'agent'],
    ]);
    for (const name of ['migrate', 'hub', 'agent-old', 'agent-new']) expect(compose[name]?.read_only).toBe(true);
    for (const { securityContext, containers: own } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const one of own) {
        expect(one.image).toBe('rsi-loop');
        expect(one.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
      }
    }
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
  });

  it('call verbs and options that rsi has, and programs that are in the image', async () => {
    const { commands } = await programOf(() => {});
    for (const { command } of containers) {
      const [program, first = '', ...words] = command;
      if (program === 'node') expect(existsSync(first.replace('/app', FOLDER))).toBe(true);
      else {
        expect(program).toBe('rsi');
        const verb = commands.find((each) => each.name() === first);
        expect(verb?.name()).toBe(first);
        const options = words.filter((word) => word.startsWith('--'));
        for (const option of options) expect(verb?.options.map(({ long }) => long)).toContain(option);
      }
    }
    const [, check = ''] = /HEALTHCHECK .* CMD \["node", "\/app\/(.*)"\]/.exec(read('Dockerfile')) ?? [];
    expect(existsSync(join(FOLDER, check))).toBe(true);
  });

  it('use ports and variables that the code knows', () => {
    const known = [...Object.values(SECRET_VARIABLES), 'RSI_STORE', 'PGPASSWORD'];
    const ofAgent = /const \{(.*)\} = process\.env/.exec(read('agent.mjs'))?.[1] ?? '';
    for (const { command, variables } of containers) {
      const isAgent = command.includes('/app/agent.mjs');
      for (const name of variables) expect(isAgent ? [...known, ...ofAgent.split(/[ ,]+/)] : known).toContain(name);
      expect(variables).toContain('RSI_STORE');
    }
    const port = String(DEFAULT_PORT);
    expect(read('Dockerfile')).toContain(`EXPOSE ${port}\n`);
    expect(read('healthy.mjs')).toContain(`PORT = '${port}'`);
    expect(compose.hub?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    const hub = pods.flatMap((pod) => pod.containers).find(({ name }) => name === 'hub');
    expect(hub?.ports).toEqual([{ containerPort: DEFAULT_PORT }]);
    const service = documents.find(({ kind }) => kind === 'Service');
    expect(service.spec.ports).toEqual([{ port: DEFAULT_PORT, targetPort: DEFAULT_PORT }]);
  });

  it('install packages that the package names as peers, in its version', () => {
    const { version, peerDependencies } = JSON.parse(readFileSync(resolve(FOLDER, '../package.json'), 'utf8'));
    const file = read('Dockerfile');
    expect(file).toContain(`ARG RSI_LOOP=rsi-loop@${version}\n`);
    for (const [, name = ''] of file.matchAll(/ (\w+)@\d/g)) expect(Object.keys(peerDependencies)).toContain(name);
  });
});
