import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

/**
 * The schema that the OpenAPI Initiative publishes for documents of version 3.1. Ajv takes the dynamic reference to the
 * schema of schemas for one to the whole document, so it is made a plain one; ours are compiled one by one below.
 */
const published = JSON.parse(
  readFileSync(resolve('test/fixtures/openapi-3.1.schema.json'), 'utf8').replace(
    /"\$dynamicRef": "#meta"/g,
    '"$ref": "#/$defs/schema"',
  ),
);

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

let server: TestServer;
afterEach(() => server.close());

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    server = await new TestServer().open({ token: 'a-token-of-many-characters' });
    const { json } = await server.send('/openapi.json', {
      headers: { authorization: 'Bearer a-token-of-many-characters' },
    });
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    expect(ajv.validate(published, json), JSON.stringify(ajv.errors?.slice(0, 5))).toBe(true);
    expect(ajv.validate(published, { ...json, paths: { health: {} } })).toBe(false);
    expect(json.security).toEqual([{ token: [] }, { signature: [] }]);
  });

  it('has every route, with schemas that compile and names used once', async () => {
    server = await new TestServer().open();
    const { json } = await server.send('/openapi.json');
    expect(json.security).toBeUndefined();
    const paths = json.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => ({ route: `${method} ${path}`, operation })),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual(
      [
        'post /observe',
        'post /prompts',
        'post /markers',
        'post /tasks',
        'post /tasks/{id}/end',
        'post /hooks/claude',
        'post /hooks/codex',
        'post /hooks/gemini',
        'post /hooks/cursor',
        'post /v1/traces',
        'post /fixes/{id}/approve',
        'post /fixes/{id}/reconsider',
        'post /fixes/{id}/reject',
        'post /fixes/{id}/rollback',
        ...['health', 'patterns', 'fixes', 'policy', 'advice', 'metrics', 'events'].map((name) => `get /${name}`),
      ].sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const { operation } of operations) {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      for (const { schema } of contents) if (!('$ref' in schema)) ajv.compile(schema);
    }
  });

  it('describes what the routes answer', async () => {
    server = await new TestServer().open();
    const { json } = await server.send('/openapi.json');
    const paths = json.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    const ajv = new Ajv2020({ strict: false });
    const check = (path: string, method: string, status: number, value: unknown) => {
      const schema = paths[path]?.[method]?.responses[status]?.content['application/json']?.schema ?? {};
      expect(ajv.validate(schema, value), `${path}: ${JSON.stringify(ajv.errors)}`).toBe(true);
    };
    check('/observe', 'post', 201, (await server.post('/observe', [{ task: 'a', success: true }, 5])).json);
    check('/tasks', 'post', 201, (await server.post('/tasks', { task: 'a' })).json);
    for (const path of ['/health', '/patterns', '/fixes', '/advice'])
      check(path, 'get', 200, (await server.send(path)).json);
    const { Problem } = (json.components as { schemas: { Problem: object } }).schemas;
    const problem = await server.post('/observe', { task: 'a' });
    expect(ajv.validate(Problem, problem.json), JSON.stringify(ajv.errors)).toBe(true);
  });
});
