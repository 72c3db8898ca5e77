import type { Plugin } from 'esbuild';

/**
 * Modules that fastify imports and `rsi serve` never calls: a logger, requests without a network, checks of the versions
 * of plugins, a serializer and a validator (the routes of the server have their own), addresses behind a proxy. Together
 * they would be half of what the command bundles.
 */
const UNUSED = [
  'pino',
  'light-my-request',
  'semver',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/ajv-compiler',
  '@fastify/proxy-addr',
];

/** Leaves out what the command never calls. A call all the same throws an error that names the package. */
export const leftOut: Plugin = {
  name: 'left-out',
  setup(build) {
    build.onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) =>
      UNUSED.includes(path) && importer.includes('node_modules') ? { path, namespace: 'left-out' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = new Proxy(() => {}, {
        get: () => { throw new Error('${path} is not part of this command'); },
        apply: () => { throw new Error('${path} is not part of this command'); },
      });`,
    }));
  },
};
