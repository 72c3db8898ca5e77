import type { Json } from 'rsi-loop';
import type { ListedSkill, SkillLibrary } from 'rsi-loop/skills/core';
import { version } from '../../package.json';
import { isRow, type Row } from './fields.js';
import { answerRequests, type Connection, type Method, RPC, RpcError } from './json-rpc.js';
import { type SkillToolsOptions, skillTools } from './skill-tools.js';

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
      capabilities: { tools: {} },
      serverInfo: { name: 'rsi-loop', version },
    }),
    ping: () => ({}),
    'tools/list': async () => ({ tools: (await offered(skills)).map((skill) => describe(skills, skill)) }),
    'tools/call': async ({ name, arguments: given = {} }, signal) => {
      const list = await offered(skills);
      const skill = list.find((one) => one.name === name);
      const [tool] = skillTools(skills, skill ? [sourceOf(skill)] : [], options);
      if (!skill || !tool) throw new RpcError(RPC.params, unknown(name, list));
      if (!isRow(given)) throw new RpcError(RPC.params, 'arguments is not an object');
      return resultOf(skill, () => tool.run(given, { signal }));
    },
  };
  return answerRequests(methods, connection);
}

async function offered(skills: SkillLibrary): Promise<readonly ListedSkill[]> {
  return (await skills.list()).filter(({ isOffered }) => isOffered);
}

function sourceOf({ language, ...skill }: ListedSkill) {
  return { ...skill, kind: language === undefined ? 'instructions' : 'code' } as const;
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
    ...(output?.type === 'object' && { outputSchema: output }),
    annotations: { readOnlyHint: hosts === 0 && (asks?.write?.length ?? 0) === 0, openWorldHint: hosts > 0 },
  };
}

/** Returns an answer as text, and as structured content if the schema says that it is an object. */
async function resultOf({ output }: ListedSkill, run: () => Promise<Json>): Promise<Row> {
  try {
    const answer = await run();
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { content: [{ type: 'text', text }], ...(output?.type === 'object' && { structuredContent: answer }) };
  } catch (error) {
    return { content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }], isError: true };
  }
}

function unknown(name: unknown, list: readonly ListedSkill[]): string {
  const known = list.slice(0, 20).map((one) => one.name);
  return `no skill is called ${JSON.stringify(name)?.slice(0, 100)}: there ${known.length > 0 ? `are ${known.join(', ')}` : 'are none'}`;
}
