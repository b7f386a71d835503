import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { cli, start, type Ended, type Running } from '../cli/process.ts'
import { withoutBubblewrap } from '../cli/without-bubblewrap.ts'
import { refusedCommand, saying } from '../../refusal.ts'
import { zip } from '../service/zip.ts'
import { expectRefusal, openStage, reportOf, toldIn } from './stage.ts'

/** Its copy of the program is what a kit has: no scripts of the project lie beside it. */
const stage = openStage('no-bubblewrap')
afterAll(() => stage.remove())

const begin = (program: string, ...args: readonly string[]): Running => {
  const [command, ...more] = [...(withoutBubblewrap ?? []), process.execPath, program, ...args]
  return start(command!, more)
}
const run = (...args: readonly string[]): Promise<Ended> => begin(cli, ...args).ended

// Games of a moment; every agent accepts whatever it is left.
const accepts = 'class Agent { counts; constructor(me, counts) { this.counts = counts }'
const script = `module.exports = ${accepts} offer(o) { return o === undefined ? this.counts : undefined } }`
const typed = `import type { Counts } from './types.ts'
export default class Agent {
  readonly #counts: Counts
  constructor(_me: number, counts: Counts) { this.#counts = counts }
  offer(o?: Counts): Counts | undefined { return o === undefined ? this.#counts : undefined }
}`
const python = `import sys, json
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'start':
        counts = m['opt']['counts']
        print(json.dumps({'type': 'ready', 'question': m['question']}), flush=True)
    elif 'question' in m:
        told = {'type': 'offer', 'question': m['question']}
        if m.get('offer') is None: told['offer'] = counts
        print(json.dumps(told), flush=True)
`
const manifest = (more: object): string => JSON.stringify({ name: 'mine', game: 'haggle', ...more })
const program = { kind: 'program', command: ['python3', 'agent.py'] }
const files = {
  script: stage.write('plain.js', script),
  typescript: stage.write('agent.ts', typed.replace(/^.*\n/, 'type Counts = readonly number[]\n')),
  several: stage.write(
    'several.zip',
    zip({
      'agent.json': manifest({ kind: 'script', main: 'src/agent.ts' }),
      'src/agent.ts': typed,
      'src/types.ts': 'export type Counts = readonly number[]',
    }),
  ),
  python: stage.write('python.zip', zip({ 'agent.json': manifest(program), 'agent.py': python })),
  built: stage.write(
    'built.zip',
    zip({ 'agent.json': manifest({ ...program, build: ['cp', 'made', 'agent.py'] }), made: python }),
  ),
}
const match = (agent: string, ...more: readonly string[]): readonly string[] => [
  'match',
  'play',
  '--game',
  'haggle',
  agent,
  'baby',
  ...more,
]

const permission = /\bpermission model\b.*\bfiles, programs and network\b.*\bsignals\b.*\.$/
const nothing = /\bnot isolated\b.*\baccess\b.*\bfiles, programs and network\b.*\.$/
const expectPlayed = (ended: Ended, tier: string, ...notes: readonly RegExp[]): void => {
  expect(ended.code, ended.stderr).toBe(0)
  expect(toldIn(ended)).toEqual(notes.map((note) => expect.stringMatching(note) as string))
  expect(ended.stdout).toContain(`isolation ${tier}`)
}

const masked = describe.skipIf(withoutBubblewrap === null || process.platform !== 'linux')
const hasPython = existsSync('/usr/bin/python3')

masked("without bubblewrap one's own agents play, with one line on what that leaves open (needs mounts)", () => {
  const limit = { timeout: 120_000 }

  test('scripts, TypeScript and several files by Node’s permissions', limit, async () => {
    expectPlayed(await run(...match(files.script)), 'permission', permission)
    const history = join(stage.folder, 'match.history')
    expectPlayed(await run(...match(files.typescript, '--export', history)), 'permission', permission)
    expect(readFileSync(history, 'utf8')).toContain('"isolation":"permission"')
    const checked = await run('agent', 'check', '--game', 'haggle', files.several)
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('several.zip: fine')])
    expect(toldIn(checked)).toEqual([expect.stringMatching(permission)])

    const asked = ['--seat', '0', '--until', '1', '--agent', files.several]
    const replayed = await run('match', 'replay', history, ...asked)
    expect([replayed.code, toldIn(replayed)]).toEqual([0, [expect.stringMatching(permission)]])
    expect(replayed.stdout).toEqual(saying('answers', 'as in the history'))
  })

  test('sessions of Haggling', limit, async () => {
    const ended = await run('haggle', files.script, files.script, '--seeds', '1..2')
    expect([ended.code, toldIn(ended)]).toEqual([0, [expect.stringMatching(permission)]])
  })

  test.skipIf(!hasPython)('programs by nothing, and their builds (needs python3)', limit, async () => {
    for (const agent of [files.python, files.built]) expectPlayed(await run(...match(agent)), 'none', nothing)
  })

  test('a user who names a tier is not told again, and is obeyed', limit, async () => {
    expectPlayed(await run(...match(files.typescript, '--isolation', 'permission')), 'permission')
    const strong = await run(...match(files.script, '--isolation', 'bubblewrap'), '--json')
    expectRefusal(strong, 3, refusedCommand('isolation-unavailable', 'bubblewrap', 'bwrap'))
    for (const agent of [files.python, files.built])
      expectRefusal(
        await run(...match(agent, '--isolation', 'permission'), '--json'),
        3,
        refusedCommand('isolation-unavailable', 'bubblewrap', 'isolation "none"', 'bwrap'),
      )
  })

  test('a kit is told of no script that it does not have', limit, async () => {
    const ended = await begin(stage.cli, ...match(files.script, '--isolation', 'bubblewrap'), '--json').ended
    expectRefusal(ended, 3, refusedCommand('isolation-unavailable', 'bubblewrap', 'bwrap'))
    expect(ended.stderr).not.toContain('npm')
    const doctor = await begin(stage.cli, 'doctor', '--quick').ended
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/^weak +bubblewrap +.*\(bwrap\)/m)])
    expect(doctor.stdout).not.toContain('npm')
  })
})

masked('without bubblewrap contests want consent, as ever (needs mounts)', () => {
  const data = join(stage.folder, 'data')
  const contest = (more: object): string =>
    stage.contest('contest.json', {
      game: 'haggle',
      config: {},
      entrants: [
        { name: 'a', agent: files.several },
        { name: 'b', agent: files.typescript },
      ],
      ...more,
    })

  test('by the educator, in the contest or on the command line', { timeout: 120_000 }, async () => {
    const strong = contest({ isolation: 'bubblewrap' })
    const at = ['--data', data, '--json']
    expectRefusal(
      await run('contest', 'run', strong, ...at),
      3,
      refusedCommand('isolation-unavailable', 'isolation "permission"'),
    )
    const exported = join(stage.folder, 'exported')
    const ended = await run('contest', 'run', strong, ...at, '--isolation', 'permission', '--export', exported)
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, expect.objectContaining({ isolation: 'permission' })])
    const { histories } = reportOf(ended)
    expect(histories).toHaveLength(1)
    expect(readFileSync(histories[0]!.file!, 'utf8')).toContain('"isolation":"permission"')
  })

  test('which the sample contest has, since its agents are ours', { timeout: 120_000 }, async () => {
    const running = begin(cli, 'contest', 'run', 'sample', '--data', join(stage.folder, 'sample'), '--json')
    // A quarter of it will do.
    await running.said('of 70 matches')
    running.child.kill('SIGINT')
    const ended = await running.ended
    expect([0, 130]).toContain(ended.code)
    expect(JSON.parse(ended.stdout)).toMatchObject({ isolation: 'permission' })
  })
})
