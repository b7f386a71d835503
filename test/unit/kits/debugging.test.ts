import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { pathToFileURL } from 'node:url'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { debuggerPorts, underDebugger, underDebugpy } from '../../../main/services/matches/replay/debuggers.ts'
import { GDBSERVER_RELAY } from '../../../main/services/matches/replay/gdbserver-relay.ts'
import { DEBUG_PORT, withSourceMap } from '../../../main/services/matches/replay/debugged-script.ts'
import { unlessStopped } from '../../../main/services/matches/replay/replay.ts'
import { withSourceMap as withOwnMap } from '../../../main/services/packages/source-map.ts'
import { bundleScript } from '../../../main/services/packages/build.ts'
import { freePort, listenersOn } from '../../ports.ts'
import { refusal, saying } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

type Payload = ConstructorParameters<typeof SourceMap>[0]
const mapOf = (script: string): Payload =>
  JSON.parse(Buffer.from(script.split('base64,').at(-1)!, 'base64').toString()) as Payload

test('the editors of the kits look for the debugger where it listens', () => {
  const port = (kit: string): unknown => {
    const text = readFileSync(
      new URL(`../../../agents/kits/shared/${kit}/.vscode/launch.json`, import.meta.url),
      'utf8',
    )
    const [first] = (JSON.parse(text) as { configurations: [object] }).configurations
    // Each kind of debugger has its own field: port, connect.port, an address, or a command of lldb.
    return Number(
      /"(?:port"|[\w]+Address"|processCreateCommands")[^\d"]*"?\[?"?(?:gdb-remote )?(?:127\.0\.0\.1:)?(\d+)/.exec(
        JSON.stringify(first),
      )?.[1],
    )
  }
  const { debugpy, jdwp, delve, gdbserver } = debuggerPorts
  const kits = ['javascript', 'typescript', 'python', 'java', 'go', 'cpp', 'rust']
  expect(kits.map(port)).toEqual([DEBUG_PORT, DEBUG_PORT, debugpy, jdwp, delve, gdbserver, gdbserver])
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

const folder = temporaryFolder('debugged')
writeFileSync(join(folder, 'go.mod'), 'module agent')

test.each([
  [
    'java -cp classes Game',
    5005,
    ['java'],
    'java -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:5005 -cp classes Game',
  ],
  [
    '/opt/jdk/bin/java Game',
    7,
    [],
    '/opt/jdk/bin/java -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:7 Game',
  ],
  ['node agent.js', 9229, ['node', 'gdbserver'], 'node --inspect-brk=127.0.0.1:9229 agent.js'],
  [
    './agent cop',
    2345,
    ['gdbserver', 'dlv'],
    'dlv exec --headless --api-version=2 --log-dest=2 --listen=127.0.0.1:2345 ./agent -- cop',
  ],
  ['./agent cop', 1234, ['gdbserver'], `${process.execPath} -e ${GDBSERVER_RELAY} 1234 ./agent cop`],
] as const)('the program "%s" waits for its debugger on port %i (%j)', (command, port, tools, expected) => {
  const has = (tool: string): boolean => (tools as readonly string[]).includes(tool)
  const given = {
    command: command.split(' '),
    folder,
    port: Object.values(debuggerPorts).includes(port as never) ? undefined : port,
  }
  const debugged = underDebugger(given, has)
  expect([debugged.command.join(' '), debugged.attached]).toEqual([expected, false])
  expect(debugged.notice).toEqual(saying(`127.0.0.1:${port}`))
})

/** Says on its standard streams what it hears from a debugger, and runs the program as gdbserver does: its wrapper starts it. */
const standIn = `#!/bin/sh
read heard
echo "heard $heard"
shift 6
exec sh /dev/fd/5 "$@" </dev/null >&2
`

test.skipIf(process.platform !== 'linux')(
  'gdbserver is reached from this machine alone, and its program keeps the streams of its messages',
  async () => {
    const tools = temporaryFolder('gdbserver')
    writeFileSync(join(tools, 'gdbserver'), standIn)
    chmodSync(join(tools, 'gdbserver'), 0o755)
    const port = await freePort()
    const { command } = underDebugger(
      { command: ['./cat', '-u'], folder: '/bin', port },
      (tool) => tool === 'gdbserver',
    )
    const env = { PATH: `${tools}:/usr/bin:/bin` }
    const child = spawn(command[0]!, command.slice(1), { cwd: '/bin', env, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'close')
    const answers = once(child.stdout, 'data')
    child.stdin.write('a message\n')
    const listeners = await vi.waitUntil(() => listenersOn(port), { timeout: 60_000 })
    expect(listeners).toEqual(['0100007F'])
    const peer = connect(port, '127.0.0.1')
    const heard = once(peer, 'data')
    peer.write('hello\n')
    expect(String(await heard)).toBe('heard hello\n')
    expect(String(await answers)).toBe('a message\n')
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  },
)

test('without a debugger that waits, one attaches to the process, and a port has no use', () => {
  const given = { command: ['./agent', 'cop'], folder, port: undefined }
  expect(underDebugger(given, () => false)).toMatchObject({ command: given.command, attached: true })
  expect(() => underDebugger({ ...given, port: 1 }, () => false)).toThrow(refusal('not-supported', 'gdbserver'))
  // delve is for Go alone.
  expect(underDebugger({ ...given, folder: tmpdir() }, (tool) => tool === 'dlv')).toMatchObject({ attached: true })
})

test('a missing debugger of Python, and a port that nobody knows beforehand, are refused', () => {
  const given = { command: ['python0'], folder, port: 1 }
  // The second is the launcher of Windows.
  for (const command of [given.command, ['C:\\Windows\\py.exe', '-3', 'agent.py']])
    expect(() => underDebugger({ ...given, command }, () => true)).toThrow(
      refusal('not-supported', 'pip install debugpy'),
    )
  expect(() => underDebugger({ ...given, port: 0 })).toThrow(refusal('input-invalid', '--inspect-port'))
})

test.each([
  ['java -cp classes Game', 'JDK'],
  ['python3 agent.py', 'Python'],
  ['swift agent.swift', 'swift'],
])('an interpreter that this terminal does not find (%s) is named', (command, wanted) => {
  const given = { command: command.split(' '), folder, port: undefined }
  const [program = ''] = given.command
  expect(() => underDebugger(given, () => false)).toThrow(refusal('not-supported', program, wanted, 'PATH'))
})

test('on Windows a bare name starts a program of the folder of the agent, elsewhere one of PATH alone', () => {
  const home = temporaryFolder('bare-name')
  writeFileSync(join(home, 'agent.exe'), '')
  const given = { folder: home, port: undefined }
  for (const file of ['agent', 'agent.exe']) {
    const command = [file, 'cop']
    expect(underDebugger({ ...given, command }, () => false, 'win32')).toMatchObject({ command, attached: true })
    expect(() => underDebugger({ ...given, command }, () => false, 'linux')).toThrow(refusal('not-supported', file))
  }
  const other = { ...given, command: ['another'] }
  expect(() => underDebugger(other, () => false, 'win32')).toThrow(refusal('not-supported', 'another'))
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
