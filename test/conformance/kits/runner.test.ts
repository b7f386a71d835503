import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { verbOutputs } from '../../../main/contract/outputs/verb-outputs.ts'
import { refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { cli } from '../cli/process.ts'
import { install, type } from './kit.ts'

const folder = temporaryFolder('runner')

/** The environment of `type`: nothing of ours. */
const envIn = (home: string) => ({ PATH: '/usr/bin:/bin', HOME: home, TARTAGLIA_DATA: join(home, 'data') })

describe.each([
  ['javascript', 'haggle'],
  ['typescript', 'punter'],
  ['python', 'cows'],
] as const)('the short commands in a kit for %s', (kit, game) => {
  const home = join(folder, `${game}-${kit}`)
  beforeAll(() => install(game, kit, home))
  const can = kit !== 'python' || existsSync('/usr/bin/python3')

  test.skipIf(!can)(
    'run plays the agent of the folder, shows the moves and keeps the match (needs python3)',
    async () => {
      const first = type(home, 'npx tartaglia run')
      expect([first.status, first.stdout]).toEqual([0, expect.stringContaining('baby')])
      // A match in which nobody scores would show nothing. Seat, agent, rank, score and faults.
      const scores = [...first.stdout.matchAll(/^ +\d+ +\S+ +\d+ +(-?[\d.]+) +\d+$/gm)].map(([, score]) =>
        Number(score),
      )
      expect(scores).toHaveLength(2)
      expect(Math.max(...scores)).toBeGreaterThan(0)
      const second = type(home, 'npx tartaglia run --seed another --json')
      expect(second.status).toBe(0)
      const report = verbOutputs.run.parse(JSON.parse(second.stdout))
      expect(report).toMatchObject({ game, seed: 'another', seats: [{ seat: 0 }, { agent: 'baby' }] })
      expect(readdirSync(join(home, 'matches')).toSorted()).toEqual(['match-1.history', 'match-2.history'])
      // Moves as `history show` tells them stand in between.
      const shown = await run('history', 'show', join(home, 'matches', 'match-1.history'))
      const moves = shown.stdout.split('\n').filter((line) => /^ +[\d.]+ s /.test(line))
      expect(moves.length).toBeGreaterThan(1)
      for (const move of moves) expect(first.stdout).toContain(`${move}\n`)
    },
  )

  test.skipIf(!can)(
    'replay shows the match that was kept last, or another one, and writes a page (needs python3)',
    () => {
      const last = verbOutputs.replay.parse(JSON.parse(type(home, 'npx tartaglia replay --json').stdout))
      expect(last).toMatchObject({ file: join(home, 'matches', 'match-2.history'), verdict: { ok: true } })
      const page = type(home, 'npx tartaglia replay matches/match-1.history --html match.html')
      expect(page.status).toBe(0)
      expect(readFileSync(join(home, 'match.html'), 'utf8')).toMatch(/^<!doctype html>/i)
      const again = type(home, 'npx tartaglia replay --html match.html --json')
      expect([again.status, JSON.parse(again.stdout)]).toEqual([2, refusedCommand('file-exists', 'match.html')])
    },
  )

  test.skipIf(!can)('try, pack and update need no more than the folder (needs python3)', () => {
    const tried = type(home, 'npx tartaglia try --matches 2 --against baby --json')
    expect(verbOutputs.try.parse(JSON.parse(tried.stdout))).toMatchObject({
      game,
      opponents: [{ opponent: 'baby', matches: 2, faults: 0 }],
    })
    expect(type(home, 'npx tartaglia pack --name anna')).toMatchObject({ status: 0 })
    expect(readdirSync(join(home, 'packed'))).toHaveLength(1)
    const update = type(home, 'npx tartaglia update --json')
    expect([update.status, JSON.parse(update.stdout)]).toEqual([2, refusedCommand('kit-unavailable', home)])
    const submit = type(home, 'npx tartaglia submit --json')
    expect([submit.status, JSON.parse(submit.stdout)]).toEqual([2, refusedCommand('option-missing', '--to')])
  })

  test.skipIf(!can)('test runs the saved cases, and fails when the agent answers otherwise (needs python3)', () => {
    // From a folder within the kit, too.
    const passing = spawnSync(process.execPath, ['../tartaglia.mjs', 'test', '--json'], {
      cwd: join(home, 'cases'),
      env: envIn(home),
      encoding: 'utf8',
    })
    expect(verbOutputs.test.parse(JSON.parse(passing.stdout))).toMatchObject({ folder: home, ok: true })
    expect(passing.stderr).toMatch(/pass [1-9]|[1-9] passed/)
    const file = join(home, 'cases', 'first.json')
    const saved = readFileSync(file, 'utf8')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(saved) as object), answer: 'another' }))
    expect(type(home, 'npx tartaglia test')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('first.json') as string,
    })
    writeFileSync(file, saved)
  })

  test.skipIf(kit === 'python')('debug waits for a debugger before one saved case, or before one move', async () => {
    const inCase = await debugged(home, 'debug', 'first', '--inspect-port', '0', '--json')
    expect(inCase.code).toBe(0)
    expect(verbOutputs.debug.parse(JSON.parse(inCase.stdout))).toEqual({ case: 'first.json', ok: true })
    // Only that case was run.
    expect(inCase.stderr).toMatch(/pass 1\b/)
    const inMove = await debugged(home, 'debug', '--until', '1', '--inspect-port', '0', '--json')
    expect(verbOutputs.debug.parse(JSON.parse(inMove.stdout))).toMatchObject({ seat: 0, until: 1, differs: null })
    const unknown = type(home, 'npx tartaglia debug nonesuch --json')
    expect([unknown.status, JSON.parse(unknown.stdout)]).toEqual([2, refusedCommand('case-unknown', 'nonesuch')])
  })
})

/** Runs a command that waits for a debugger, connects one that lets it go on, and gives how it ended. */
async function debugged(home: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['tartaglia.mjs', ...args], { cwd: home, env: envIn(home) })
  let [stdout, stderr] = ['', '']
  const ended = new Promise<number | null>((done) => child.once('close', done))
  child.stdout.on('data', (text) => (stdout += String(text)))
  const address = await new Promise<string>((found, fail) => {
    child.once('close', () => fail(new Error(`it ended before a debugger came: ${stderr}`)))
    child.stderr.on('data', (text) => {
      stderr += String(text)
      const url = /(ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)/.exec(stderr)?.[1]
      if (url !== undefined) found(url)
    })
  })
  expect(child.exitCode).toBe(null)
  const socket = new WebSocket(address)
  await new Promise((open) => socket.once('open', open))
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.runIfWaitingForDebugger' }))
  // Node waits for its debugger to leave before it ends.
  child.stderr.on('data', () => /Waiting for the debugger to disconnect/.test(stderr) && socket.close())
  const code = await ended
  socket.terminate()
  return { code, stdout, stderr }
}

test('a folder that is neither a kit nor holds an agent is said to be so by each short command', () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  for (const verb of ['run', 'test', 'try', 'replay', 'debug', 'submit', 'update']) {
    const { status, stdout } = spawnSync(process.execPath, [cli, verb, '--json'], {
      cwd: empty,
      env: envIn(folder),
      encoding: 'utf8',
    })
    expect([verb, status, JSON.parse(stdout)]).toEqual([verb, 2, refusedCommand('kit-unavailable')])
  }
  expect(readdirSync(empty)).toEqual([])
})

test('a folder with an agent.json, or a script called agent, is enough', async () => {
  const home = join(folder, 'plain')
  mkdirSync(home)
  writeFileSync(
    join(home, 'agent.json'),
    JSON.stringify({ name: 'plain', game: 'haggle', kind: 'script', main: 'a.js' }),
  )
  writeFileSync(join(home, 'a.js'), 'module.exports = require("./b.js")\n')
  writeFileSync(
    join(home, 'b.js'),
    'module.exports = class { constructor(me, counts) { this.all = counts } offer(o) { return o === undefined ? this.all : undefined } }\n',
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'run', '--json'], {
    cwd: home,
    env: envIn(home),
    encoding: 'utf8',
  })
  expect([status, stderr.includes('error')]).toEqual([0, false])
  expect(JSON.parse(stdout)).toMatchObject({ game: 'haggle', seats: [{ faults: [] }, { agent: 'baby' }] })
})

test('the window of a kit saves the move shown as a case of the kit, which is the one that match replay saves', async () => {
  const home = join(folder, 'haggle-javascript')
  const entrants = ['hard', 'conceder'].map((name) => ({ name, agent: join(home, 'dist/agents/haggle', `${name}.js`) }))
  const contest = { title: 'Two', game: 'haggle', format: { type: 'single' }, seed: 'two', isolation: 'none', entrants }
  writeFileSync(join(home, 'two.json'), JSON.stringify(contest))
  expect(type(home, 'npx tartaglia contest run two.json --export two')).toMatchObject({ status: 0 })
  const child = spawn(process.execPath, ['tartaglia.mjs', 'serve', '--json'], {
    cwd: home,
    env: envIn(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('exit', done))
  try {
    let said = ''
    for await (const chunk of child.stdout) if ((said += String(chunk)).includes('\n')) break
    const { address } = JSON.parse(said) as { address: string }
    const letIn = await fetch(address, { redirect: 'manual' })
    const [cookie = ''] = letIn.headers.getSetCookie()[0]?.split(';') ?? []
    const { origin } = new URL(address)
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers: { cookie, origin } })
    await new Promise((open) => socket.once('open', open))
    const ask = (name: string, wish: object): Promise<unknown> => {
      const answered = new Promise((done) =>
        socket.once('message', (data: Buffer) => done(JSON.parse(data.toString()))),
      )
      socket.send(JSON.stringify({ t: 'q', i: '1', m: 'call', a: [name, wish] }))
      return answered
    }
    const save = (match: number, position: number): Promise<unknown> =>
      ask('kits.saveCase', { source: { from: 'contest', contest: 'two-1', match }, position })
    const file = 'cases/two-1-0-seat-1-move-1.json'
    // The first move of the second seat is the second event.
    expect(await save(0, 2)).toMatchObject({ r: { ok: true, value: { file } } })
    expect(await save(0, 2)).toMatchObject({ r: { ok: true, value: { file } } })
    expect(await save(7, 2)).toMatchObject({ r: { ok: false } })
    const [match = ''] = readdirSync(join(home, 'two')).filter((name) => name.endsWith('.jsonl'))
    const replayed = await run(
      ...['match', 'replay', join(home, 'two', match), '--seat', '1', '--until', '1'],
      ...['--agent', entrants[1]!.agent, '--save', join(home, 'replayed.json'), '--isolation', 'permission'],
    )
    expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('as in the history') as string })
    expect(JSON.parse(readFileSync(join(home, file), 'utf8'))).toEqual(
      JSON.parse(readFileSync(join(home, 'replayed.json'), 'utf8')),
    )

    // The matches that "run" has kept are listed; one is opened, and a move of it saved.
    const listed = ['match-2.history', 'match-1.history'].map((name) => ({ name, summary: { game: 'haggle' } }))
    expect(await ask('kits.matches', {})).toMatchObject({ r: { ok: true, value: { total: 2, matches: listed } } })
    const opened = (await ask('kits.match', { match: 1 })) as { r: { value: { file: string } } }
    const kept = await ask('kits.saveCase', { source: { from: 'file', file: opened.r.value.file }, position: 1 })
    const keptCase = 'cases/match-1-seat-0-move-1.json'
    expect(kept).toMatchObject({ r: { ok: true, value: { file: keptCase } } })
    expect(existsSync(join(home, keptCase))).toBe(true)
    expect(await ask('kits.match', { match: 3 })).toMatchObject({ r: { ok: false } })
    socket.close()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})
