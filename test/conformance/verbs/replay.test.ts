import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { resources } from '../../../main/services/machine/resources.ts'
import { pythonKit } from '../../python-kit.ts'
import { freePort } from '../../ports.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { debugProgram } from './debug-adapter.ts'
import { refusedCommand, saying, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const folder = temporaryFolder('replay')
const at = (name: string): string => join(folder, name)
const shipped = (game: string, name: string): string => join(resources.agents, game, `${name}.js`)
const held = ['--isolation', 'permission', '--json']

/** The baby, whose answers come from Math.random, with prices that come from the clock. */
const timed = `
const Untimed = module.exports
module.exports = class extends Untimed {
  turn(view) {
    const { actions } = super.turn(view)
    return actions.map((action) => (action.type === 'offer' ? { ...action, price: Date.now() % 1e9 } : action))
  }
}`

beforeAll(async () => {
  writeFileSync(at('timed.js'), readFileSync(shipped('specker', 'baby'), 'utf8') + timed)
  for (const [game, ...opponents] of [
    ['specker', at('timed.js'), 'greedy'],
    ['haggle', 'conceder', 'baby'],
    ['cows', 'baby', 'herder'],
  ] as const) {
    const played = await run('match', 'play', '--game', game, ...opponents, '--export', at(game), ...held)
    expect(played).toMatchObject({ code: 0 })
  }
  writeFileSync(at('stubborn.js'), 'module.exports = class { turn(view) { console.log(view.round); return [] } }')
  writeFileSync(at('broken.js'), 'module.exports = class { turn(view) { throw new Error("no idea") } }')
})

async function replay(game: string, seat: number, until: number, agent: string, ...more: readonly string[]) {
  const where = ['--seat', String(seat), '--until', String(until), '--agent', agent]
  return run('match', 'replay', at(game), ...where, ...more, ...held)
}
const kits = join(import.meta.dirname, '../../../agents/kits')

/** Writes the kit of Haggling for Python with the settings of its editor. */
function writeKit(folder: string): void {
  for (const part of ['haggle/python', 'shared/python']) cpSync(join(kits, part), folder, { recursive: true })
  for (const [name, text] of Object.entries(pythonKit('haggle'))) writeFileSync(join(folder, name), text)
}

/** The configuration by which the editor of a kit connects. */
function launchIn(folder: string) {
  const text = readFileSync(join(folder, '.vscode/launch.json'), 'utf8')
  const [configuration] = (JSON.parse(text) as { configurations: Launch[] }).configurations
  return configuration!
}
interface Launch {
  readonly type: string
  readonly request: string
  readonly continueOnAttach?: boolean
  readonly address?: string
  readonly connect?: { readonly host: string; readonly port: number }
  readonly skipFiles?: readonly string[]
}

/** The output of a refused command with --json. */
async function refusalOf(...args: Parameters<typeof replay>): Promise<unknown> {
  const { code, stdout } = await replay(...args)
  expect(code).toBe(2)
  return JSON.parse(stdout)
}
const reportOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>

describe('a recorded match, up to a move', () => {
  test.each([
    ['specker', 0, 4, at('timed.js')],
    ['specker', 1, 3, shipped('specker', 'greedy')],
    ['haggle', 0, 1, shipped('haggle', 'conceder')],
  ])('the agent that played %s on seat %i says at move %i what it said then', async (game, seat, until, agent) => {
    const ran = await replay(game, seat, until, agent)
    expect(ran.stderr).toBe('')
    const report = reportOf(ran)
    expect(report).toMatchObject({ seat, until, differs: null, answered: { answer: report['recorded'] } })
    expect(report['recorded']).not.toBe(null)
  })

  test('another agent is told the same, and where it goes its own way is said', async () => {
    const report = reportOf(await replay('specker', 0, 3, at('stubborn.js')))
    expect(report).toMatchObject({ differs: 1, answered: { answer: { actions: [] } } })
    // It saw rounds 1, 2 and 3: its empty bundles, which would have had it removed, did not change the match.
    expect(report['console']).toEqual(['1\n', '2\n', '3\n'])
  })

  test('a fault of the agent is told in its own words', async () => {
    const report = reportOf(await replay('specker', 0, 3, at('broken.js')))
    expect(report).toMatchObject({ differs: 1, answered: { fault: expect.stringContaining('no idea') as string } })
  })

  test('what it was told and what it says are a test case', async () => {
    await replay('specker', 0, 2, at('timed.js'), '--save', at('case.json'))
    const saved = JSON.parse(readFileSync(at('case.json'), 'utf8')) as { game: string; messages: { type: string }[] }
    expect(saved.messages.map(({ type }) => type)).toEqual(['start', 'turn', 'turn'])
    expect(saved).toMatchObject({ game: 'specker', answer: { actions: expect.any(Array) as unknown } })
  })

  test('without an agent it has the answer of the match, as cases of programs do; without --save there is nothing to ask', async () => {
    const where = ['match', 'replay', at('haggle'), '--seat', '0', '--until', '1']
    expect(await run(...where, '--save', at('recorded.json'), ...held)).toMatchObject({ code: 0 })
    await replay('haggle', 0, 1, 'conceder', '--save', at('asked.json'))
    expect(readFileSync(at('recorded.json'), 'utf8')).toBe(readFileSync(at('asked.json'), 'utf8'))
    for (const more of [[], ['--inspect-brk', '--save', at('none.json')]]) {
      const { code, stdout } = await run(...where, ...more, ...held)
      expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand('option-missing', '--agent')])
    }
  })

  test('of a seat of several bodies one is asked, and the others are told what they were told', async () => {
    const where = ['--body', '4', '--save', at('herder.json')]
    const report = reportOf(await replay('cows', 1, 3, shipped('cows', 'herder'), ...where))
    expect(report).toMatchObject({ differs: null, answered: { answer: report['recorded'] } })
    const { messages } = JSON.parse(readFileSync(at('herder.json'), 'utf8')) as {
      messages: { type: string; body: number; step?: number }[]
    }
    const bodies = [0, 1, 2, 3, 4, 5]
    expect(messages.map(({ step, body }) => [step, body])).toEqual([
      ...[undefined, 0, 1].flatMap((step) => bodies.map((body) => [step, body])),
      ...[0, 1, 2, 3, 4].map((body) => [2, body]),
    ])
    expect(await refusalOf('cows', 1, 3, 'baby', '--body', '6')).toEqual(refusedCommand('seat-unknown', 6, 5))
    expect(await refusalOf('cows', 1, 999, 'baby', '--body', '2')).toEqual(refusedCommand('move-unknown', 1, 2, 150))
  })

  test('a player that never got ready does not matter', async () => {
    writeFileSync(at('dead.js'), 'throw new Error("no agent")')
    const players = ['baby', at('dead.js'), 'greedy']
    await run('match', 'play', '--game', 'specker', ...players, '--export', at('absent'), ...held)
    const where = ['--seat', '2', '--until', '2', '--agent', shipped('specker', 'greedy')]
    const report = reportOf(await run('match', 'replay', at('absent'), ...where, ...held))
    expect(report).toMatchObject({ seat: 2, until: 2, differs: null, answered: { answer: report['recorded'] } })
    expect(report['recorded']).not.toBe(null)
  })

  test.each<[string, number, number, ErrorCode, ...Fact[]]>([
    ['an invalid seat', 7, 1, 'seat-unknown', 7, 1],
    ['a move that never came', 0, 99_999, 'move-unknown', 0],
  ])('%s is refused in one sentence', async (_name, seat, until, code, ...facts) => {
    expect(await refusalOf('specker', seat, until, shipped('specker', 'baby'))).toEqual(refusedCommand(code, ...facts))
  })

  test.each([
    ['cows', 'baby', 'herder', 'Step 59', 'Cows caught'],
    ['haggle', 'conceder', 'baby'],
  ])('of %s is shown in sentences', async (game, ...facts) => {
    const { code, stdout } = await run('history', 'show', at(game), '--data', at('none'))
    expect({ code, stdout }).toEqual({ code: 0, stdout: saying('intact', ...facts) })
    expect(stdout).not.toMatch(/"(?:type|action|actions|value)":/)
  })

  test('a history that was changed is not a match', async () => {
    const text = readFileSync(at('specker'), 'utf8').replace('"actions":[', '"actions":[ ')
    writeFileSync(at('changed'), text)
    const where = ['--seat', '0', '--until', '1', '--agent', at('stubborn.js')]
    const { code, stdout } = await run('match', 'replay', at('changed'), ...where, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([1, refusedCommand('history-invalid', at('changed').split('/').at(-1)!)])
  })
})

test('under a debugger it waits for one to connect, stops before the last message, and answers as in its match', async () => {
  const agent = at('timed.js')
  const where = ['--seat', '0', '--until', '2', '--agent', agent, '--inspect-brk', '--inspect-port', '0', '--json']
  const cli = join(resources.worker, '..', 'cli.js')
  const child = spawn(process.execPath, [cli, 'match', 'replay', at('specker'), ...where])
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const exited = new Promise((resolve) => child.on('close', resolve))
  let address = ''
  for await (const line of createInterface({ input: child.stderr })) {
    address = /ws:\/\/\S+/.exec(line)?.[0] ?? ''
    if (address !== '') break
  }
  child.stderr.resume()
  const socket = new WebSocket(address.replace(/\.$/, ''))
  await new Promise((resolve) => socket.once('open', resolve))
  const stops: string[] = []
  const scripts: { readonly url: string; readonly sourceMapURL?: string }[] = []
  let id = 0
  const send = (method: string): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: ++id, method }))
  }
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as {
      method?: string
      params?: { reason: string; url: string; sourceMapURL?: string }
    }
    if (message.method === 'Debugger.scriptParsed') scripts.push(message.params!)
    if (message.method !== 'Debugger.paused') return
    stops.push(message.params!.reason)
    send('Debugger.resume')
  })
  send('Debugger.enable')
  // Node forgets it if it comes before the process waits; the address is printed before that.
  const run = setInterval(() => send('Runtime.runIfWaitingForDebugger'), 100)
  await exited
  clearInterval(run)
  socket.close()
  expect(stops.length).toBeGreaterThanOrEqual(1)
  expect(stops.at(-1)).toBe('other')
  const report = JSON.parse(out) as Record<string, unknown>
  expect(report).toMatchObject({ seat: 0, until: 2, differs: null, answered: { answer: report['recorded'] } })
  const sources = scripts
    .flatMap(({ sourceMapURL = '' }) => (sourceMapURL.startsWith('data:') ? [sourceMapURL] : []))
    .map((url) => (JSON.parse(Buffer.from(url.split(',')[1]!, 'base64').toString()) as { sources: string[] }).sources)
  expect(sources).toContainEqual([pathToFileURL(agent).href])
  // The editor of a kit connects there, lets the agent begin, and steps over all that is ours.
  for (const kit of ['javascript', 'typescript']) {
    const editor = launchIn(join(kits, 'shared', kit))
    expect(editor).toMatchObject({ type: 'node', request: 'attach', continueOnAttach: true })
    expect(new URL(address).hostname).toBe(editor.address)
    const skipped = editor.skipFiles!.map((glob) => glob.replace('<node_internals>/**', 'node:').replace('**', ''))
    const files = scripts.map(({ url }) => url).filter((url) => /^(?:file|node):/.test(url))
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((url) => !skipped.some((part) => url.includes(part)))).toEqual([])
  }
})

describe('a program in Python', () => {
  const home = at('snake')
  const where = ['--seat', '0', '--until', '1', '--agent', home, '--inspect-brk']
  beforeAll(() => {
    writeKit(home)
  })
  afterEach(() => vi.unstubAllEnvs())

  test('of another game is not asked', async () => {
    expect(await run('match', 'replay', at('specker'), ...where)).toMatchObject({ code: 2, stderr: saying('haggle') })
  })

  test('is told how to get debugpy', async () => {
    mkdirSync(at('nothing/debugpy'), { recursive: true })
    writeFileSync(at('nothing/debugpy/__init__.py'), 'raise ImportError')
    vi.stubEnv('PYTHONPATH', at('nothing'))
    const ran = await run('match', 'replay', at('haggle'), ...where)
    expect(ran).toMatchObject({ code: 2, stderr: saying('debugpy', 'pip install') })
  })

  test('runs where it lies, with the packages of the terminal, under a debugpy that listens where the editor of its kit connects', async () => {
    // In the place of debugpy: says how it was called, and runs the program.
    mkdirSync(at('packages/debugpy'), { recursive: true })
    writeFileSync(at('packages/debugpy/__init__.py'), '')
    const stub = `
import os, runpy, sys
end = sys.argv.index('--wait-for-client')
print('debugpy', *sys.argv[1:end], 'in', os.getcwd(), file=sys.stderr)
sys.argv = sys.argv[end + 1:]
sys.path[0] = os.getcwd()
runpy.run_path(sys.argv[0], run_name='__main__')
`
    writeFileSync(at('packages/debugpy/__main__.py'), stub)
    vi.stubEnv('PYTHONPATH', at('packages'))
    const ran = await run('match', 'replay', at('haggle'), ...where, '--json')
    expect(ran).toMatchObject({ code: 0 })
    const report = reportOf(ran)
    expect(report).toMatchObject({ answered: { answer: expect.anything() as unknown } })
    const { connect } = launchIn(home)
    const called = `debugpy --listen ${String(connect?.host)}:${String(connect?.port)} in ${realpathSync(home)}\n`
    expect(report['console']).toContain(called)

    // Its output before it exits is shown.
    writeFileSync(join(home, 'agent.py'), 'import nothing_of_this_name\n')
    const exited = reportOf(await run('match', 'replay', at('haggle'), ...where, '--json'))
    expect(exited['console']).toEqual([expect.stringContaining('nothing_of_this_name')])
  })

  const debugged = ['/usr/bin', '/usr/local/bin'].find(
    (bin) => spawnSync(join(bin, 'python3'), ['-c', 'import debugpy']).status === 0,
  )
  test.skipIf(debugged === undefined)(
    'stops at a breakpoint, shows its variables, and answers as in the match (needs python3-debugpy)',
    async () => {
      writeKit(at('real'))
      const agent = join(realpathSync(at('real')), 'agent.py')
      const lines = readFileSync(agent, 'utf8').split('\n')
      const line = 2 + lines.findIndex((text) => /^ {4}def offer\(/.test(text))
      const port = await freePort()
      vi.stubEnv('PATH', `${debugged!}:${process.env['PATH']!}`)
      const more = ['--seat', '0', '--until', '1', '--agent', at('real'), '--inspect-brk', '--inspect-port', `${port}`]
      const replayed = run('match', 'replay', at('haggle'), ...more, '--json')
      const stops = await vi.waitFor(() => debugProgram(port, agent, line), { timeout: 30_000, interval: 200 })
      expect(stops).toEqual([
        {
          reason: 'breakpoint',
          file: agent,
          line: expect.any(Number) as number,
          variables: expect.anything() as string[],
        },
      ])
      expect(stops[0]!.variables).toContain('self')
      expect(reportOf(await replayed)).toMatchObject({
        answered: { answer: expect.anything() as unknown },
        console: [],
      })
    },
    60_000,
  )
})
