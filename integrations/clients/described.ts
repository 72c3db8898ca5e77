import { type RSILoop, reportProblem } from 'rsi-loop';
import { tunableText } from 'rsi-loop/prompts';

type Fields = Record<string, unknown>;

/** Parameters of a tool whose descriptions are declared. A tool with more keeps the rest as they are. */
const MAX_PARAMETERS = 50;
/** Fields that hold the JSON schema of a tool's input: AI SDK and MCP, then OpenAI Agents. */
const SCHEMAS = ['inputSchema', 'parameters'] as const;

/**
 * Returns property descriptors that make the description of a tool, and those of its parameters, tunable texts. Reading
 * one returns the version for the task around the reader. Parameters need a schema in JSON; other schemas stay as they
 * are.
 */
export function describedParts(loop: RSILoop, name: string, tool: object): PropertyDescriptorMap {
  const parts: PropertyDescriptorMap = {};
  const description = describing(loop, `tool.${name}`, Reflect.get(tool, 'description'));
  if (description) parts.description = description;
  for (const key of SCHEMAS) {
    const schema: unknown = Reflect.get(tool, key);
    if (!isPlain(schema)) continue;
    const inside = isPlain(schema.jsonSchema) ? schema.jsonSchema : schema;
    const described = describedSchema(loop, name, inside);
    if (!described) continue;
    const value = inside === schema ? described : Object.create(schema, { jsonSchema: fieldOf(described) });
    parts[key] = fieldOf(value);
  }
  return parts;
}

/** Returns a copy of a JSON schema whose parameters have tunable descriptions; undefined if none has a description. */
function describedSchema(loop: RSILoop, name: string, schema: Fields): Fields | undefined {
  const { properties } = schema;
  if (!isPlain(properties)) return undefined;
  let count = 0;
  const described = Object.entries(properties).map(([key, property]): [string, unknown] => {
    if (!isPlain(property) || count >= MAX_PARAMETERS) return [key, property];
    const description = describing(loop, `tool.${name}.${key}`, property.description);
    if (!description) return [key, property];
    count++;
    return [key, copyOf(property, { description })];
  });
  return count === 0 ? undefined : { ...schema, properties: Object.fromEntries(described) };
}

/** Returns a getter of the version in force; undefined if there is no description. */
function describing(loop: RSILoop, name: string, text: unknown): PropertyDescriptor | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  try {
    return { get: tunableText(loop, name, { text }), enumerable: true, configurable: true };
  } catch (error) {
    // Two tools of one name, or a server that changed its description: the tool keeps the text that it came with.
    reportProblem(loop, 'tools', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Returns a copy with these properties in place of its own. */
export function copyOf(original: object, parts: PropertyDescriptorMap): object {
  return Object.create(Object.getPrototypeOf(original), { ...Object.getOwnPropertyDescriptors(original), ...parts });
}

function fieldOf(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
