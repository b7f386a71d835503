/*
 * The bundler's own process: esbuild as WebAssembly over the files of one package. It is built to one file, which is
 * all that the process may read. It reads the package's files and esbuild itself from stdin and writes the result to
 * stdout and esbuild's messages to stderr. esbuild's file system holds only these files (package-files.ts), so a
 * package cannot reach any other. Node's permission model and, if available, bubblewrap isolate the process as well.
 */
import 'esbuild-wasm/wasm_exec.js'
import { writeSync } from 'node:fs'
import { posix } from 'node:path'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import {
  bundleName,
  metafileName,
  readOrder,
  sourceMapName,
  writeBundleResult,
  type BundleOrder,
} from './bundle-order.ts'
import { parsedJsonModules } from './json-modules.ts'
import { outputRoot, packageFiles, packageRoot, type PackageFiles } from './package-files.ts'

/** The names that wasm_exec.js defines, and those that it and Go use: see `syscall/js` in Go. */
interface GoWorld {
  Go: new () => {
    argv: string[]
    env: Readonly<Record<string, string>>
    exit(code: number): void
    readonly importObject: object
    run(instance: object): Promise<void>
  }
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => object
  }
  fs: PackageFiles
  process: { cwd(): string }
  path: { resolve(...parts: string[]): string }
}

const world = globalThis as unknown as GoWorld

// For a process this short, optimising the code takes five times as long as running it.
setFlagsFromString('--no-wasm-dynamic-tiering')
setFlagsFromString('--no-wasm-tier-up')

async function main(): Promise<void> {
  const order = await readOrder(process.stdin)
  const { wasm } = order
  const { files, args } = withParsedJson(order)
  const system = packageFiles(files, writeAll)
  world.fs = system
  world.process = { cwd: () => packageRoot }
  world.path = { resolve: posix.resolve }
  const go = new world.Go()
  const to = (name: string): string => `${outputRoot}/${name}`
  go.argv = ['esbuild', ...args, `--outfile=${to(bundleName)}`, `--metafile=${to(metafileName)}`]
  go.env = {}
  // Exit immediately: Go would continue after a return.
  go.exit = (code) => {
    const [bundle, metafile] = [system.written(bundleName), system.written(metafileName)]
    const sourceMap = system.written(sourceMapName) ?? new Uint8Array()
    if (code === 0 && bundle !== null && metafile !== null)
      writeAll(1, writeBundleResult({ bundle, metafile, sourceMap }))
    process.exit(code)
  }
  const { Instance, Module } = world.WebAssembly
  await go.run(new Instance(new Module(wasm), go.importObject))
}

/** A large JSON file is given to esbuild as a text that is parsed when the agent is loaded. */
function withParsedJson({ args, files }: Pick<BundleOrder, 'args' | 'files'>): Pick<BundleOrder, 'args' | 'files'> {
  const parsed = parsedJsonModules(files)
  return parsed === null ? { args, files } : { args: [...args, ...parsed.args], files: parsed.files }
}

function writeAll(fd: 1 | 2, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

main().catch((error: unknown) => {
  writeAll(2, Buffer.from(`${String(error)}\n`))
  process.exit(1)
})
