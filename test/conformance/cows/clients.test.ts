import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { serving } from '../cli/serving.ts'
import { run } from '../../unit/cli/environment.ts'

const folder = temporaryFolder('cows-serve')
const shipped = new URL('../../../../shared/data/cows/serverconfig-2008.xml', import.meta.url)
const execute = promisify(execFile)

/** Runs `cows serve` and resolves when it is open. */
async function opened(file: string, ...options: readonly string[]) {
  const served = serving('cows', 'serve', '--config', file, '--port', '0', ...options)
  return {
    ...served,
    port: await served.said(/The match is open: tcp:\/\/127\.0\.0\.1:(\d+)\. Waiting for 12 clients\./),
  }
}

async function agents<T>(program: string, port: string, users: readonly string[]): Promise<Record<string, T>> {
  const { stdout } = await execute('python3', [join(import.meta.dirname, program), port, ...users])
  return JSON.parse(stdout) as Record<string, T>
}

interface DomTold {
  readonly simulations: readonly Readonly<Record<string, string>>[]
  readonly steps: number
  readonly cells: Readonly<Record<string, number>>
  readonly bye: boolean
}
interface SaxTold {
  readonly simulations: readonly (readonly string[])[]
  readonly requests: readonly number[]
  readonly pongs: number
  readonly cows: number
  readonly enemies: number
  readonly signIns: number
  readonly bye: boolean
}

const herders = (team: string): string[] => [1, 2, 3, 4, 5, 6].map((number) => `${team}${number}:${number}`)

test.skipIf(!existsSync(shipped))(
  'the shipped match of 2008 is played to its end by clients that were written apart from the server (needs ../shared/data)',
  { timeout: 180_000 },
  async () => {
    const file = join(folder, 'wild-west.xml')
    writeFileSync(file, readFileSync(shipped, 'utf8').replace('"700"', '"60"'))
    const { code, port, stdout, stderr } = await opened(file, '--profile', 'server-2008', '--timeout', '1000', '--json')
    const [dom, sax] = await Promise.all([
      agents<DomTold>('dom_agents.py', port, herders('botagent')),
      agents<SaxTold>('sax_agents.py', port, herders('participant')),
    ])
    expect(await code).toBe(0)
    const result = JSON.parse(stdout()) as {
      simulations: readonly { teams: string[]; scores: number[]; name: string }[]
    }
    const [simulation] = result.simulations
    expect(simulation).toMatchObject({ name: 'WildWildWest', teams: ['participant', 'bot'] })
    const [west, east] = simulation!.scores as [number, number]
    for (const { simulations, steps, cells, bye } of Object.values(dom)) {
      expect(steps).toBe(60)
      expect(bye).toBe(true)
      expect(simulations).toMatchObject([
        {
          id: '0',
          opponent: 'participant',
          corralx0: '55',
          corralx1: '69',
          corraly0: '0',
          corraly1: '14',
          steps: '60',
          gsizex: '70',
        },
      ])
      expect(simulations[0]).toMatchObject({
        score: String(east),
        result: east > west ? 'win' : east < west ? 'loose' : 'draw',
      })
      expect(cells['unknown']).toBeUndefined()
      expect(cells['empty']).toBeGreaterThan(2_500)
      expect(cells['agent']).toBeGreaterThanOrEqual(60)
    }
    expect(Object.values(dom).some(({ cells }) => cells['cow']! > 0 && cells['obstacle']! > 0)).toBe(true)
    for (const [user, { simulations, requests, pongs, signIns, bye }] of Object.entries(sax)) {
      const dropped = user.endsWith('1')
      expect(signIns).toBe(dropped ? 2 : 1)
      expect(bye).toBe(true)
      expect(simulations.map(([id, opponent]) => `${id} ${opponent}`)).toEqual(dropped ? ['0 bot', '0 bot'] : ['0 bot'])
      expect(requests).toEqual(Array.from({ length: 60 }, (_, step) => step).filter((step) => requests.includes(step)))
      expect(requests.length).toBeGreaterThanOrEqual(dropped ? 58 : 60)
      expect(pongs).toBeGreaterThanOrEqual(8)
    }
    expect(Object.values(sax).some(({ cows }) => cows > 0)).toBe(true)
    expect(stderr()).toContain('participant1 (team participant) has signed in.')
  },
)

/** Our own description of a match of two simulations. */
const own = {
  timeoutMs: 2_000,
  teams: ['red', 'blue'].map((name) => ({
    name,
    users: herders(name).map((pair) => ({ username: pair.split(':')[0], password: pair.split(':')[1] })),
  })),
  simulations: [
    { name: 'first', map: 'small', steps: 25 },
    { name: 'second', map: 'meadow', steps: 20, cowWeight: 7, lineOfSight: 9 },
  ],
}

test('a match in JSON: two simulations over one sign-in, sides swapped, as written', async () => {
  const file = join(folder, 'match.json')
  writeFileSync(file, JSON.stringify(own))
  const { code, port, stdout } = await opened(file)
  const [dom, sax] = await Promise.all([
    agents<DomTold>('dom_agents.py', port, herders('red')),
    agents<SaxTold>('sax_agents.py', port, herders('blue')),
  ])
  expect(await code).toBe(0)
  for (const { simulations, cells } of Object.values(dom)) {
    expect(simulations.map(({ id, steps }) => `${id} ${steps}`)).toEqual(['0 25', '1 20'])
    expect(new Set(simulations.map(({ corralx0 }) => corralx0)).size).toBe(2)
    expect(cells['unknown']).toBeGreaterThan(0)
  }
  for (const { requests, signIns } of Object.values(sax).filter(({ signIns: count }) => count === 1)) {
    expect(signIns).toBe(1)
    expect(requests).toHaveLength(45)
  }
  expect(stdout()).toMatch(
    /^Simulation first: red \d+, blue \d+\nSimulation second: blue \d+, red \d+\nred: \d points, \d+ cows\nblue: /,
  )
})

const refused: readonly (readonly [what: string, text: string, sentence: RegExp])[] = [
  ['neither XML nor JSON', 'hello', /is neither XML nor JSON: /],
  ['an unknown field', JSON.stringify({ ...own, team: [] }), /: there is no field "team"\. Did you mean "teams"\?/],
  ['one team', JSON.stringify({ ...own, teams: own.teams.slice(1) }), /teams: /],
  [
    'too few users',
    JSON.stringify({ ...own, teams: [own.teams[0], { name: 'x', users: own.teams[1]!.users.slice(1) }] }),
    /Team "x" has 5 users; simulation "first" has 6 herders in a team\./,
  ],
  [
    'a user twice',
    JSON.stringify({ ...own, teams: [own.teams[0], { name: 'x', users: own.teams[0]!.users }] }),
    /Two users are called "red1"\./,
  ],
  [
    'a map that does not exist',
    JSON.stringify({ ...own, simulations: [{ map: 'nowhere' }] }),
    /simulation "0": config\.map: There is no map "nowhere"/,
  ],
  [
    'a weight beyond the range',
    JSON.stringify({ ...own, simulations: [{ map: 'small', cowWeight: 11 }] }),
    /simulation "0": config: cowWeight: /,
  ],
  ['XML of another kind', '<html/>', /its root is not "conf"/],
  ['broken XML', '<conf>', /The configuration is not XML: /],
]
test.each(refused)('%s is refused in one sentence', async (what, text, sentence) => {
  const file = join(folder, `${what}.txt`)
  writeFileSync(file, text)
  const { code, stderr } = await run('cows', 'serve', '--config', file, '--port', '0')
  expect(code).toBe(2)
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
