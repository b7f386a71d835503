// Bundles what runs into dist/: command line, worker, agent host, desktop app, the window's files and the shipped agents.
// Does nothing when no source changed. Two builds at once are safe: one waits, and every file is replaced whole.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { tmpdir } from 'node:os'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { licensesOf, modulesOfEsbuild, modulesOfVite, packageFolder } from './licenses.mjs'
import { leanBundles } from './lean-bundles.mjs'
import { withLock } from './lock.mjs'
import { replayPage } from './replay-page.mjs'
import { sbomOf } from './sbom.mjs'
import { entry, note, ownEnvironment, ownNode, Plain, root } from './setup.mjs'

const dist = join(root, 'dist')
const stampFile = join(dist, '.stamp')
/** The only file that is executed by itself. */
const SPAWNER = `spawner-${process.arch}`
/** Everything that a bundle may be made of. */
const sourceFolders = ['main', 'grammars', 'agents', 'renderer', 'docs', 'scripts/docs-site', 'scripts/licenses']
const sourceFiles = [
  // Pages of the documentation that are not in docs/.
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'vite.replay.config.ts',
  'scripts/build.mjs',
  'scripts/kit-javascript.mjs',
  'scripts/lean-bundles.mjs',
  '.prettierrc.json',
  'scripts/licenses.mjs',
  'scripts/sbom.mjs',
  'scripts/replay-page.mjs',
  'scripts/viewers-only.ts',
  'scripts/first-screen.ts',
  'scripts/rulebooks.ts',
  'scripts/manual.ts',
]
/** Pages that every kit has. */
const kitPages = () => ['docs/agents.md', ...filesBelow(join(root, 'docs/games'))]

/**
 * Brings dist/ up to date, in a process of the project's own Node: vite does not run on every Node that can start us, and
 * leaves its marks on the environment. Resolves to whether anything was built. Throws Plain when a source does not compile.
 */
export async function build() {
  if (upToDate(stampOf(sources()))) return false
  // Types are removed from kits by a function of Node that warns on each use.
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), '--quiet']
  const child = spawnSync(ownNode(), args, { encoding: 'utf8', env: ownEnvironment() })
  if (child.status !== 0)
    throw new Plain(child.stderr?.trim() || `The build ended with ${child.status ?? child.signal}.`)
  return true
}

/** As `build`, in this process. */
async function buildHere() {
  return withLock('build', async () => {
    const stamp = stampOf(sources())
    if (upToDate(stamp)) return false
    const files = await bundle()
    rmSync(stampFile, { force: true })
    for (const [path, contents] of files) replace(join(dist, path), contents)
    removeOthers(new Set(files.keys()))
    replace(stampFile, [stamp, ...files.keys()].join('\n'))
    return true
  })
}

/** Options of all bundles. */
const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: dist,
  charset: 'utf8',
  logLevel: 'silent',
  metafile: true,
}

/** path inside dist/ → contents. */
async function bundle() {
  const code = await bundledCode()
  const files = new Map([...code.files, ...shippedTexts(), ...(await kitTwins()), ...spawner()])
  const window = await rendererFiles()
  for (const { fileName, code: chunk, source } of window) {
    files.set(`renderer/${fileName}`, chunk ?? source)
    const small = compressed(fileName, chunk ?? source)
    if (small !== null) files.set(`renderer/${fileName}.br`, small)
  }
  const replay = await replayPage().catch((error) => {
    throw new Plain(viteError(error))
  })
  files.set('replay.html', replay.html)
  for (const [path, content] of await docsPages()) {
    files.set(`renderer/help/${path}`, content)
    const small = compressed(path, content)
    if (small !== null) files.set(`renderer/help/${path}.br`, small)
  }
  const folders = [
    ...code.modules.map((module) => packageFolder(module)),
    ...modulesOfVite([...window, ...replay.output]).map((module) => packageFolder(module, join(root, 'renderer'))),
  ]
  const packages = folders.filter((folder) => folder !== null)
  files.set('sbom.cdx.json', sbomOf(packages))
  const licenses = licensesOf(packages)
  files.set('THIRD-PARTY-LICENSES.txt', licenses)
  // The window fetches it from here.
  files.set('renderer/licenses.txt', licenses)
  return files
}

/** The programs and the agents, bundled: files by path inside dist/, and the modules in them. */
/** A text of the window as servers send it to browsers that read Brotli; null: it is not worth it. */
function compressed(name, content) {
  // Not the pages: a kit changes its own.
  if (!/\.(js|css|svg)$/.test(name) || content.length < 1_000) return null
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}

async function bundledCode() {
  const { build: esbuild } = await import('esbuild')
  const buffer = await expressionOf(esbuild, 'Buffer', 'buffer/index.js')
  const results = await Promise.all(bundles(buffer.text).map((options) => esbuild({ ...common, ...options }))).catch(
    (error) => {
      throw new Plain(esbuildError(error))
    },
  )
  return {
    files: results.flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, contents }) => [relative(dist, path).split(sep).join('/'), contents]),
    ),
    modules: [...buffer.modules, ...results.flatMap(({ metafile }) => modulesOfEsbuild(metafile))],
  }
}

/**
 * The spawner, on Linux if a C compiler is installed; without it programs that are started for each move are slower. Static, so that
 * it runs on systems with older libraries than this one.
 */
function spawner() {
  if (process.platform !== 'linux') return []
  const folder = mkdtempSync(join(tmpdir(), 'tartaglia-build-'))
  const target = join(folder, SPAWNER)
  const sources = ['spawner.c', 'starter.c'].map((name) => join(root, 'main/players/isolation/spawner', name))
  try {
    const compilers = [['musl-gcc', '-static'], ['cc', '-static'], ['clang', '-static'], ['cc'], ['clang']]
    const made = compilers.some(
      ([compiler, ...how]) => spawnSync(compiler, ['-O2', '-s', ...how, '-o', target, ...sources]).status === 0,
    )
    return made ? [[SPAWNER, readFileSync(target)]] : []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The options of each bundle. `bufferLibrary`: the expression for `Buffer` in the realm of a script. */
function bundles(bufferLibrary) {
  const onNode = { platform: 'node', target: 'node26', sourcemap: 'linked' }
  // Node holds a program's text in memory: with one letter beyond Latin in it, each takes two bytes.
  const program = { ...onNode, charset: 'ascii', minifyWhitespace: true, legalComments: 'none', plugins: [leanBundles] }
  // Dependencies in CommonJS call require(); an ES module has none of its own.
  const require = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`
  return [
    // Code that few commands or windows need is loaded when it is needed: a start takes a third less.
    {
      ...program,
      format: 'esm',
      splitting: true,
      entryPoints: { cli: 'main/cli/start.ts' },
      chunkNames: 'cli-[name]-[hash]',
      banner: { js: require },
    },
    // One file: it is started by its path, and packages keep its hash.
    {
      ...program,
      format: 'esm',
      entryPoints: { worker: 'main/worker/main.ts' },
      banner: { js: require },
    },
    {
      ...program,
      format: 'esm',
      entryPoints: { reader: 'main/app/reading-process.ts' },
      banner: { js: require },
    },
    {
      ...program,
      // Electron's own Node.
      target: 'node24',
      format: 'esm',
      splitting: true,
      entryPoints: { desktop: 'main/desktop/main.ts' },
      chunkNames: 'desktop-[name]-[hash]',
      external: ['electron'],
      banner: { js: require },
    },
    {
      ...onNode,
      target: 'node24',
      // A preload in the sandbox is one CommonJS file.
      format: 'cjs',
      entryPoints: { preload: 'main/desktop/preload.ts' },
      outExtension: { '.js': '.cjs' },
      external: ['electron'],
      sourcemap: false,
    },
    {
      ...onNode,
      format: 'cjs',
      entryPoints: { host: 'main/players/inside/host.ts' },
      outExtension: { '.js': '.cjs' },
      sourcemap: false,
      packages: 'external',
      define: { BUFFER_LIBRARY: JSON.stringify(bufferLibrary) },
      // Stack traces that scripts see name it so, wherever it lies.
      footer: { js: '//# sourceURL=host' },
    },
    {
      ...onNode,
      format: 'cjs',
      entryPoints: { bundler: 'main/services/packages/bundler.ts' },
      outExtension: { '.js': '.cjs' },
      sourcemap: false,
    },
    {
      format: 'cjs',
      platform: 'neutral',
      target: 'es2024',
      entryPoints: filesBelow(join(root, 'agents')).filter((file) => /^agents\/[^/]+\/[^/]+\.ts$/.test(file)),
      outbase: root,
      footer: { js: 'module.exports = module.exports.default;' },
    },
  ]
}

/** Texts that are shipped as they are, by path inside dist/. */
function shippedTexts() {
  const challenges = filesBelow(join(root, 'grammars/challenges')).filter((name) => name.endsWith('.challenge'))
  // Texts that games ship by name, such as maps.
  const named = filesBelow(join(root, 'agents')).filter((name) =>
    /^agents\/(?!kits\/)([^/]+\/){2}[^/]+\.(?!ts$)[a-z]+$/.test(name),
  )
  // The parts of kits, by their paths here, for which links between pages are written.
  const kits = [...filesBelow(join(root, 'agents/kits')), ...kitPages()]
  const rules = filesBelow(join(root, 'docs/games')).filter((name) => name.endsWith('-rules.md'))
  return [
    ...[...rules, 'docs/security.md', 'main/services/evidence/verify.py'].map((file) => [
      `evidence/${basename(file)}`,
      file,
    ]),
    ...challenges.map((file) => [`challenges/${basename(file)}`, file]),
    ...named.map((file) => [file, file]),
    ...kits.map((file) => [`kits/${file}`, file]),
  ].map(([path, file]) => [path, readFileSync(join(root, file))])
}

/** The documentation as pages, by path. Both the portal and the app serve it with the window. */
async function docsPages() {
  const { docsSite } = await import('./docs-site/site.ts')
  const { highlighter } = await import('./docs-site/highlight.ts')
  const { build: esbuild } = await import('esbuild')
  const options = {
    platform: 'browser',
    format: 'iife',
    target: ['chrome128', 'firefox128', 'safari18'],
    minify: true,
    entryPoints: { site: 'renderer/site/main.ts' },
    loader: { '.woff2': 'file' },
    assetNames: 'fonts/[name]',
  }
  const { outputFiles } = await esbuild({ ...common, ...options }).catch((error) => {
    throw new Plain(esbuildError(error))
  })
  try {
    const pages = docsSite({ root, highlight: await highlighter(root) })
    return new Map([
      ...pages,
      ...outputFiles.map(({ path, contents }) => [relative(dist, path).split(sep).join('/'), contents]),
      ['icon.svg', readFileSync(join(root, 'renderer', 'icon.svg'))],
    ])
  } catch (error) {
    throw new Plain(`The build failed: ${error.message}`)
  }
}

/** The agents of JavaScript kits, made from those of the TypeScript ones, by path inside dist/. */
async function kitTwins() {
  const { kitJavaScript } = await import('./kit-javascript.mjs')
  const agents = filesBelow(join(root, 'agents/kits')).filter((name) => name.endsWith('/typescript/agent.ts'))
  return Promise.all(
    agents.map(async (file) => {
      const twin = `kits/${file.replace('typescript/agent.ts', 'javascript/agent.cjs')}`
      try {
        return [twin, await kitJavaScript(readFileSync(join(root, file), 'utf8'))]
      } catch (error) {
        throw new Plain(`The build failed: ${file}: ${error.message}`)
      }
    }),
  )
}

/** The text of an expression whose value is what a package exports under this name, for a realm without modules; what is in it. */
async function expressionOf(esbuild, name, from) {
  const { outputFiles, metafile } = await esbuild({
    ...common,
    stdin: { contents: `export { ${name} } from '${from}'`, resolveDir: root },
    format: 'iife',
    globalName: 'library',
    platform: 'browser',
    target: 'es2024',
    minify: true,
  })
  return { text: `(() => {${outputFiles[0].text}\nreturn library.${name}})()`, modules: modulesOfEsbuild(metafile) }
}

/** The output of vite for renderer/: chunks of code and other files. */
async function rendererFiles() {
  // A build that tests begin would inherit theirs, and Svelte has another runtime for that.
  process.env.NODE_ENV = 'production'
  const { build: vite } = await import('vite')
  const made = await vite({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  }).catch((error) => {
    throw new Plain(viteError(error))
  })
  return [made].flat().flatMap(({ output }) => output)
}

/** The first thing that esbuild objects to, with its place. */
function esbuildError(error) {
  const first = error.errors?.[0]
  if (first === undefined) return `The build failed: ${error.message}`
  const at = first.location
  return `The build failed: ${at ? `${at.file}:${at.line}:${at.column + 1}: ` : ''}${first.text}`
}

/** As `esbuildError`, for vite, which draws its places into a picture of the source. */
function viteError(error) {
  const text = stripVTControlCharacters(error.errors?.[0]?.message ?? error.message)
  const place = /\[ (\S+:\d+:\d+) \]/.exec(text)?.[1]
  const [sentence] = text.replaceAll(root + sep, '').split('\n', 1)
  return `The build failed: ${place === undefined ? '' : `${place}: `}${sentence}`
}

/** Files below a folder as paths from the root with forward slashes, sorted. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile())
    .map((item) =>
      relative(root, join(item.parentPath ?? item.path, item.name))
        .split(sep)
        .join('/'),
    )
    .sort()
}

function sources() {
  return [...sourceFolders.flatMap((folder) => filesBelow(join(root, folder))), ...sourceFiles]
}

function stampOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    try {
      const contents = readFileSync(join(root, file))
      hash.update(`${file} ${contents.length}\n`).update(contents)
    } catch (error) {
      if (error.code !== 'ENOENT') throw error // an editor's temporary file, gone again
    }
  }
  return hash.digest('hex')
}

/** True if dist/ was made from these sources and is complete. */
function upToDate(stamp) {
  if (!existsSync(stampFile)) return false
  const [made, ...files] = readFileSync(stampFile, 'utf8').split('\n')
  return made === stamp && files.every((file) => existsSync(join(dist, file)))
}

function replace(file, contents) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.new`
  writeFileSync(temporary, contents)
  if (basename(file) === SPAWNER) chmodSync(temporary, 0o755)
  renameSync(temporary, file)
}

function removeOthers(kept) {
  for (const file of filesBelow(dist)) {
    if (!kept.has(file.slice('dist/'.length))) rmSync(join(root, file), { force: true })
  }
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const quiet = argv.includes('--quiet')
  await entry(async () => {
    const built = quiet ? await buildHere() : await build()
    if (!quiet) note(built ? 'Built dist/.' : 'dist/ is up to date.')
  })
}
