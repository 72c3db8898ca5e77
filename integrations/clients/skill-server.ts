import type { Json } from 'rsi-loop';
import type { ListedSkill, SkillLibrary } from 'rsi-loop/skills/core';
import { version } from '../../package.json';
import { answerRequests, type Connection, type Method, RPC, RpcError } from '../http/json-rpc.js';
import { isRow, type Row } from './read-fields.js';
import { isObjectSchema, READ_FILE, type SkillTool, type SkillToolsOptions, skillTools } from './skill-tools.js';

/** Options of serving skills over MCP. */
export interface ServeSkillsOptions extends SkillToolsOptions, Connection {}

/** Versions of the protocol that are the same for servers with tools only; newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/**
 * Serves the skills of a folder as tools of the Model Context Protocol over two streams, such as standard input and
 * output. Resolves when the input ends or the signal aborts. Lists skills that agents may get without a trial. Calls run
 * in the sandbox and are recorded as outcomes.
 */
export function serveSkills(skills: SkillLibrary, { session, ...connection }: ServeSkillsOptions): Promise<void> {
  const options = session === undefined ? {} : { session };
  const methods: Readonly<Record<string, Method>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: VERSIONS.find((one) => one === protocolVersion) ?? VERSIONS[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'rsi-loop', version },
    }),
    ping: () => ({}),
    'tools/list': async () => {
      const list = await offered(skills);
      const reader = skillTools(skills, list.map(sourceOf)).find(({ name }) => name === READ_FILE);
      return { tools: [...list.map((skill) => describe(skills, skill)), ...(reader ? [describeReader(reader)] : [])] };
    },
    'tools/call': async ({ name, arguments: given = {} }, signal) => {
      const list = await offered(skills);
      const tool = skillTools(skills, list.map(sourceOf), options).find((one) => one.name === name);
      if (!tool) throw new RpcError(RPC.params, unknown(name, list));
      if (!isRow(given)) throw new RpcError(RPC.params, 'arguments is not an object');
      return resultOf(list.find((one) => one.name === name)?.output, () => tool.run(given, { signal }));
    },
    'resources/list': async () => ({ resources: await resourcesOf(skills) }),
    'resources/read': async ({ uri }) => ({ contents: [await contentOf(skills, uri)] }),
  };
  return answerRequests(methods, connection);
}

async function offered(skills: SkillLibrary): Promise<readonly ListedSkill[]> {
  return (await skills.list()).filter(({ isOffered }) => isOffered);
}

function sourceOf({ language, ...skill }: ListedSkill) {
  return { ...skill, kind: language === undefined ? 'instructions' : 'code' } as const;
}

function describeReader({ name, description, parameters }: SkillTool): Row {
  return { name, description, inputSchema: parameters, annotations: { readOnlyHint: true, openWorldHint: false } };
}

const SCHEME = 'skill://';

/** Returns the files of offered skills as resources. */
async function resourcesOf(skills: SkillLibrary): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name } of await offered(skills)) {
    const { description, files } = await skills.show(name);
    for (const path of files.keys())
      if (path !== TESTS)
        rows.push({ uri: `${SCHEME}${name}/${encodeURI(path)}`, name: `${name}/${path}`, description });
  }
  return rows;
}

/** Tests hold the hidden examples, which no writer may see. */
const TESTS = 'tests.json';

async function contentOf(skills: SkillLibrary, uri: unknown): Promise<Row> {
  const [, name = '', path = ''] = /^skill:\/\/([a-z0-9-]+)\/(.+)$/.exec(String(uri)) ?? [];
  const isOffered = (await offered(skills)).some((one) => one.name === name);
  const content = isOffered ? (await skills.show(name)).files.get(decodeURI(path)) : undefined;
  if (content === undefined || path === TESTS)
    throw new RpcError(
      RPC.params,
      `there is no resource ${JSON.stringify(uri)?.slice(0, 200)}: list the resources first`,
    );
  return typeof content === 'string' ? { uri, text: content } : { uri, blob: Buffer.from(content).toString('base64') };
}

/** Returns a tool as clients get it. Access decides on the hints: code without access changes nothing outside. */
function describe(skills: SkillLibrary, skill: ListedSkill): Row {
  const [tool] = skillTools(skills, [sourceOf(skill)]);
  const { asks, output } = skill;
  const hosts = asks?.hosts?.length ?? 0;
  return {
    name: skill.name,
    description: tool?.description,
    inputSchema: tool?.parameters,
    ...(isObjectSchema(output) && { outputSchema: output }),
    annotations: { readOnlyHint: hosts === 0 && (asks?.write?.length ?? 0) === 0, openWorldHint: hosts > 0 },
  };
}

/** Returns an answer as text, and as structured content if the schema says that it is an object. */
async function resultOf(output: ListedSkill['output'], run: () => Promise<Json>): Promise<Row> {
  try {
    const answer = await run();
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { content: [{ type: 'text', text }], ...(isObjectSchema(output) && { structuredContent: answer }) };
  } catch (error) {
    return { content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }], isError: true };
  }
}

function unknown(name: unknown, list: readonly ListedSkill[]): string {
  const known = list.slice(0, 20).map((one) => one.name);
  return `no skill is called ${JSON.stringify(name)?.slice(0, 100)}: there ${known.length > 0 ? `are ${known.join(', ')}` : 'are none'}`;
}
