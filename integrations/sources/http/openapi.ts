import { PROBLEM, type Schema } from './schemas.js';
import { JSON_TYPE, type Route } from './service.js';

/** Error responses shared by all routes. */
const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'Something in it cannot be read; field names it.',
  401: 'The token or the signature is missing or wrong.',
  403: 'It came from where it may not come from.',
  404: 'There is nothing under this id.',
  409: 'It contradicts what came before.',
  413: 'It is too large.',
  415: 'It is of a type that is not read here.',
  429: 'Too many requests; Retry-After says when to come again.',
  503: 'It cannot be kept safe now; Retry-After says when to come again.',
};
const ONLY_WITH_BODY = [409, 413, 415, 503];

/** Builds the OpenAPI 3.1 document of the routes, from the schemas that also validate them. */
export function openApiOf(routes: readonly Route[], { isOpen }: { readonly isOpen: boolean }): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.url.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const schemes = {
    token: { type: 'http', scheme: 'bearer' },
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'X-RSI-Signature',
      description:
        'sha256= and HMAC-SHA256 of "<X-RSI-Timestamp>.<body>" in hexadecimal; on decisions of ' +
        '"<X-RSI-Timestamp>.POST /fixes/<id>/<decision>.<body>".',
    },
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'rsi-loop',
      version: '1',
      description: 'Takes in how the tasks of an agent ended; gives settings, advice, patterns and fixes.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas: { Problem: PROBLEM }, securitySchemes: schemes },
    ...(!isOpen && { security: [{ token: [] }, { signature: [] }] }),
  };
}

/** Route `GET /openapi.json`; the document does not describe this route itself. */
export function documentRoute(document: Schema): Route {
  return {
    method: 'GET',
    url: '/openapi.json',
    summary: 'The description of all routes, OpenAPI 3.1',
    answers: {
      status: 200,
      description: 'It.',
      content: { [JSON_TYPE]: { type: 'object', additionalProperties: true } },
    },
    handler: () => document,
  };
}

function operationOf(route: Route): Schema {
  const { status, description, content } = route.answers;
  const responses: Record<string, unknown> = { [status]: { description, content: contentOf(content) } };
  for (const [code, text] of Object.entries(PROBLEMS)) {
    if (route.body === undefined && ONLY_WITH_BODY.includes(Number(code))) continue;
    if (code === '404' && route.params === undefined) continue;
    responses[code] = {
      description: text,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  const parameters = [...parametersOf('path', route.params), ...parametersOf('query', route.query)];
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: { required: true, content: contentOf(route.body) } }),
    responses,
  };
}

function contentOf(byType: Readonly<Record<string, Schema>>): Schema {
  return Object.fromEntries(Object.entries(byType).map(([type, schema]) => [type, { schema }]));
}

function parametersOf(place: 'path' | 'query', schema: Schema | undefined): Schema[] {
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, Schema>>; // as `schemas.ts` writes them
  const required = (schema?.required ?? []) as readonly string[]; // likewise
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

/** Returns the operation id of a route, e.g. `postFixesIdApprove` for `POST /fixes/:id/approve`. */
function operationIdOf({ method, url }: Route): string {
  const words = url.split(/[/:.]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
