// Plugins of esbuild for the programs: they leave out of a bundle what no program of ours needs, and load what few of them need later.

/** Fastify checks and prints by JSON schemas with them. Our routes have none: see `plainServer` in main/http/server.ts. */
const needless = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/**
 * Parts of Node, as modules that load them by need. An `import` of `node:http` reads all that it exports, and with that the whole of
 * fetch and WebSocket; Fastify wants HTTP/2 at once, and never uses it here.
 */
const parts = {
  'node:http': `module.exports = process.getBuiltinModule('node:http')`,
  'node:https': `module.exports = process.getBuiltinModule('node:https')`,
  'node:http2': ['createServer', 'createSecureServer']
    .map((name) => `exports.${name} = (...all) => process.getBuiltinModule('node:http2').${name}(...all)`)
    .join('\n'),
}

/** @type {import('esbuild').Plugin} */
export const leanBundles = {
  name: 'lean-bundles',
  setup(build) {
    const named = (names) => new RegExp(`^(${names.join('|')})$`)
    build.onResolve({ filter: named(needless) }, ({ path }) => ({ path, namespace: 'needless' }))
    build.onLoad({ filter: /./, namespace: 'needless' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out of the program: see scripts/lean-bundles.mjs')`,
    }))
    build.onResolve({ filter: named(Object.keys(parts)) }, ({ path }) => ({ path, namespace: 'part-of-node' }))
    build.onLoad({ filter: /./, namespace: 'part-of-node' }, ({ path }) => ({ contents: parts[path] }))
  },
}
