import { type Json, LoopError } from 'rsi-loop';
import type { OfferedSkill, SkillLibrary } from 'rsi-loop/skills/core';
import { rowOf } from './read-fields.js';

/** JSON schema of the arguments of a tool: always an object. */
export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
}

/** Name of the tool that reads files of skills. No skill has it: names of skills have no underscore. */
export const READ_FILE = 'read_skill_file';

/** Skill as a tool of an agent. Its texts are untrusted. */
export interface SkillTool {
  readonly name: string;
  /** When to use the skill, and when not. */
  readonly description: string;
  readonly parameters: ToolParameters;
  /**
   * Calls the skill. A skill without code returns its instructions.
   * @throws LoopError as `SkillLibrary.call` does. Frameworks pass its message to the model.
   */
  run(given: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<Json>;
}

/** Options of skills as tools. */
export interface SkillToolsOptions {
  /** Session of the recorded outcomes. */
  readonly session?: string;
}

/** Parts of a library that tools use. */
export type CallableSkills = Pick<SkillLibrary, 'call' | 'instructions' | 'readFile'>;

/** Parts of an offered skill that make up a tool. */
export type ToolSource = Pick<OfferedSkill, 'name' | 'kind' | 'description' | 'whenNot' | 'input'> &
  Partial<Pick<OfferedSkill, 'otherFiles'>>;

/**
 * Returns offered skills as tools: pass what `nearest` returned. `read_skill_file` reads the files of those that have some. Each call runs in the sandbox and is recorded as an
 * outcome, so do not wrap these tools with `tools` as well.
 */
export function skillTools(
  skills: CallableSkills,
  offered: readonly ToolSource[],
  { session }: SkillToolsOptions = {},
): readonly SkillTool[] {
  const withFiles = offered.filter(({ otherFiles = 0 }) => otherFiles > 0).map(({ name }) => name);
  const tools = offered.map((skill) => toolOf(skills, skill, session));
  return withFiles.length === 0 ? tools : [...tools, fileTool(skills, withFiles)];
}

function toolOf(
  skills: CallableSkills,
  { name, kind, description, whenNot, input }: ToolSource,
  session: string | undefined,
): SkillTool {
  const tool = { name, description: whenNot === undefined ? description : `${description} Not for: ${whenNot}` };
  if (kind === 'instructions') return { ...tool, parameters: objectOf({}), run: () => skills.instructions(name) };
  const isObject = isObjectSchema(input);
  return {
    ...tool,
    // Models pass an object. A skill that takes another value gets it from the field `input`.
    parameters: isObject ? input : objectOf({ input: input ?? {} }),
    run: (given, { signal } = {}) => {
      const value = (isObject ? given : rowOf(given).input) as Json | undefined; // the arguments of a model are JSON
      return skills.call(name, value ?? null, { ...(session !== undefined && { session }), ...(signal && { signal }) });
    },
  };
}

/** Returns whether a schema is one of objects, which are arguments and structured answers of tools as they are. */
export function isObjectSchema(schema: ToolSource['input']): schema is ToolParameters & typeof schema {
  return schema !== undefined && 'type' in schema && schema.type === 'object';
}

/** Returns the tool that reads a file of a skill. */
function fileTool(skills: CallableSkills, names: readonly string[]): SkillTool {
  return {
    name: READ_FILE,
    description: `Reads a file of a skill, such as a reference or a script that its instructions name. Skills with files: ${names.join(', ')}.`,
    parameters: objectOf({ skill: { type: 'string', enum: names }, path: { type: 'string' } }),
    run: async (given) => {
      const { skill, path } = rowOf(given);
      const name = names.find((one) => one === skill);
      if (name === undefined || typeof path !== 'string')
        throw new LoopError('invalid-input', `give skill, one of ${names.join(', ')}, and path`);
      const content = await skills.readFile(name, path);
      return typeof content === 'string' ? content : `${path} is not text: it has ${content.length} bytes`;
    },
  };
}

function objectOf(properties: Readonly<Record<string, unknown>>): ToolParameters {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Returns tools for `generateText` and agents of the AI SDK, by name. `jsonSchema` is the function of the package `ai`. */
export function aiSdkTools<Schema>(tools: readonly SkillTool[], jsonSchema: (schema: never) => Schema) {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, run }) => {
      const execute = (input: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal | undefined } = {}) =>
        run(input, { signal: abortSignal });
      return [name, { description, inputSchema: jsonSchema(parameters as never), execute }]; // a JSON schema, as `ai` asks for
    }),
  );
}

/** Returns tools for LangChain and LangGraph. `tool` is the function of `@langchain/core/tools`. */
export function langchainTools<Tool>(
  tools: readonly SkillTool[],
  tool: (run: never, fields: never) => Tool,
): readonly Tool[] {
  return tools.map(({ name, description, parameters, run }) => {
    const call = (input: unknown, config?: { readonly signal?: AbortSignal }) => run(input, { signal: config?.signal });
    return tool(call as never, { name, description, schema: parameters } as never); // as LangChain asks for
  });
}

/** Returns tools for OpenAI Agents. `tool` is the function of `@openai/agents`. */
export function openaiAgentsTools<Tool>(tools: readonly SkillTool[], tool: (options: never) => Tool): readonly Tool[] {
  return tools.map(({ run, ...fields }) => {
    const execute = (input: unknown, _context?: unknown, details?: { readonly signal?: AbortSignal }) =>
      run(input, { signal: details?.signal });
    // By default, the package hides from the model why a call failed.
    const errorFunction = (_context: unknown, error: unknown) =>
      error instanceof Error ? error.message : String(error);
    // Strict schemas need every property; a skill checks its input itself.
    return tool({ ...fields, strict: false, execute, errorFunction } as never); // as the package asks for
  });
}
