import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEBUGPY_PORT, underDebugpy, withDebugpy } from '../../../main/services/matches/replay/debugged-program.ts'
import { DEBUG_PORT, withSourceMap } from '../../../main/services/matches/replay/debugged-script.ts'
import { unlessStopped } from '../../../main/services/matches/replay/replay.ts'
import { withSourceMap as withOwnMap } from '../../../main/services/packages/source-map.ts'
import { bundleScript } from '../../../main/services/packages/build.ts'

type Payload = ConstructorParameters<typeof SourceMap>[0]
const mapOf = (script: string): Payload =>
  JSON.parse(Buffer.from(script.split('base64,').at(-1)!, 'base64').toString()) as Payload

test('the editors of the kits look for the debugger where it listens', () => {
  const port = (kit: string): unknown => {
    const text = readFileSync(
      new URL(`../../../agents/kits/shared/${kit}/.vscode/launch.json`, import.meta.url),
      'utf8',
    )
    const [{ port: own, connect }] = (
      JSON.parse(text) as { configurations: [{ port?: number; connect?: { port: number } }] }
    ).configurations
    return own ?? connect?.port
  }
  expect(['javascript', 'typescript', 'python'].map(port)).toEqual([DEBUG_PORT, DEBUG_PORT, DEBUGPY_PORT])
  expect(DEBUG_PORT).toBe(9229)
})

test('each line of a script is that line of its file for a debugger', () => {
  const file = join(import.meta.dirname, 'some agent.cjs')
  const map = new SourceMap(mapOf(withSourceMap('a\nb\nc', file)))
  expect(map.findEntry(2, 0)).toMatchObject({ originalLine: 2, originalSource: pathToFileURL(file).href })
})

test('TypeScript of several files leads to each of them', async () => {
  const files = [
    {
      path: 'agent.ts',
      bytes: Buffer.from("import { two } from './lib/two.ts'\n\nexport default class { turn() { return two } }"),
    },
    { path: 'lib/two.ts', bytes: Buffer.from('interface Nothing {\n  a: number\n}\nexport const two: number = 1 + 1') },
  ]
  const { bytes: bare, sourceMap } = await bundleScript({ fileName: 'agent.zip', files, main: 'agent.ts' })
  const bytes = withOwnMap(bare, sourceMap, 0, 1_000_000)
  const script = withSourceMap(Buffer.from(bytes).toString(), join(import.meta.dirname, 'agent.zip'))
  const payload = mapOf(script)
  expect(payload.sources.toSorted()).toEqual(
    ['agent.ts', 'lib/two.ts'].map((path) => pathToFileURL(join(import.meta.dirname, path)).href),
  )
  const line = script.split('\n').findIndex((text) => text.includes('1 + 1'))
  expect(new SourceMap(payload).findEntry(line, 2)).toMatchObject({ originalLine: 3 })
})

test('only Python can be run under debugpy, and what is missing is said', () => {
  expect(() => withDebugpy(['./agent'], '.', 1)).toThrow('./agent')
  expect(() => withDebugpy(['python0'], '.', 1)).toThrow('pip install debugpy')
  expect(() => withDebugpy(['python3'], '.', 0)).toThrow('--inspect-port')
})

test.each([
  ['', 'agent.py -u'],
  ['-u', 'agent.py'],
  ['-u -W error -Xdev -Wdefault::ImportWarning -OO', '-m agent -u'],
  ['--check-hash-based-pycs always', './agent.py'],
])('options of Python ("%s") stand before debugpy, the program after it', (own, program) => {
  const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
  const all = underDebugpy([...words(own), ...words(program)], 1).join(' ')
  expect(all).toBe(`${own} -Xfrozen_modules=off -m debugpy --listen 127.0.0.1:1 --wait-for-client ${program}`.trim())
})

test('a replay that is stopped ends, although its agent never answers', async () => {
  const stop = new AbortController()
  const never = new Promise<never>(() => undefined)
  const asked = unlessStopped(stop.signal, never)
  stop.abort()
  await expect(asked).rejects.toMatchObject({ code: 'stopped' })
  await expect(unlessStopped(stop.signal, never)).rejects.toMatchObject({ code: 'stopped' })
  expect(await unlessStopped(new AbortController().signal, Promise.resolve(1))).toBe(1)
})
