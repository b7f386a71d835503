import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import type { OpenArena } from '../../../main/contract/players/arena.ts'
import { tartaglia } from '../cli/process.ts'
import { bridge, dial } from './client.ts'
import { agentFile, openPlace, shipped } from './contest.ts'
import { failure, saying } from '../../refusal.ts'

const place = openPlace()
afterAll(() => place.remove())

const two = { baby: shipped('haggle', 'baby'), hard: shipped('haggle', 'hard') }

/** Lets everybody come who connects. */
const allCome = ({ addresses, credentials }: OpenArena): void => {
  for (const { credential } of credentials) bridge(addresses[0]!, credential, [agentFile, 'haggle'])
}

describe('a contest with agents of other machines', () => {
  test('several of them, each in one match at a time; nobody is a package, and no credential is written down', async () => {
    let told: OpenArena | null = null
    const ran = await place.run(
      'haggle',
      { anna: null, bob: null, ...two },
      {
        contest: { format: { type: 'round-robin', seats: 2, repeats: 2 } },
        come(open) {
          told = open
          allCome(open)
        },
      },
    )
    expect(ran.report).toMatchObject({ state: 'finished', matches: { total: 12, played: 12, void: 0 } })
    for (const row of ran.report.standings) expect(row).toMatchObject({ matches: 6, faults: 0 })
    const { credentials } = told!
    expect(credentials.map(({ entrant, line }) => [entrant, line])).toEqual([
      ['anna', 0],
      ['bob', 0],
    ])
    for (const { credential } of credentials) expect(Buffer.from(credential, 'base64url')).toHaveLength(32)
    expect(new Set(credentials.map(({ credential }) => credential)).size).toBe(2)
    const agents = ran.matches.flatMap(({ header }) => header.seats).filter(({ agent }) => agent === NETWORK)
    expect(new Set(agents.map(({ name }) => name))).toEqual(new Set(['anna', 'bob']))
    for (const file of filesBelow(place.folder)) {
      const text = readFileSync(file, 'latin1')
      for (const { credential } of credentials) expect(text.includes(credential), file).toBe(false)
    }
  })

  test('a client that leaves in the middle loses what is left, as the rules have it; the others play', async () => {
    let matches = 0
    const ran = await place.run(
      'haggle',
      { anna: null, ...two },
      {
        contest: { format: { type: 'round-robin', seats: 2, repeats: 4 } },
        come({ addresses, credentials }) {
          dial(addresses[0]!, credentials[0]!.credential, (line, client) => {
            const said = JSON.parse(line) as { arena?: string; match?: number; type?: string; question?: number }
            if (said.arena === 'match') client.say({ arena: 'ready', match: said.match ?? -1 })
            if (said.type === 'start') {
              matches += 1
              client.say({ type: 'ready', question: said.question! })
            }
            if (said.type === 'offer' && matches === 3) client.drop()
            else if (said.type === 'offer') client.say({ type: 'offer', question: said.question! })
          })
        },
      },
    )
    expect(ran.report).toMatchObject({ state: 'finished', matches: { total: 12, played: 12, void: 0 } })
    const [anna, ...others] = ['anna', 'baby', 'hard'].map((name) =>
      ran.report.standings.find(({ agent }) => agent === name),
    )
    // Eight matches, the third of them broken off.
    expect(anna).toMatchObject({ matches: 8, faults: 6 })
    for (const other of others) expect(other).toMatchObject({ matches: 8, faults: 0 })
    const faults = ran.matches.flatMap((match) => match.faults)
    for (const fault of faults) expect(fault).toMatchObject({ kind: 'crash', text: saying('connection') })
    expect(ran.notices).toContainEqual(saying('anna', 'left', 'connection'))
  })

  test('a client that is missing is named, and the same contest goes on with new credentials', async () => {
    const entrants = { anna: null, bob: null, ...two }
    const missing = place.run('haggle', entrants, {
      data: 'again',
      arena: { waitMs: 5_000 },
      come: ({ addresses, credentials }) => void dial(addresses[0]!, credentials[0]!.credential),
    })
    await expect(missing).rejects.toThrow(failure('signed in', 'bob'))
    const ran = await place.run('haggle', entrants, { data: 'again', come: allCome })
    expect(ran.report).toMatchObject({ contest: 'over-the-network-1', state: 'finished', matches: { played: 6 } })
  })

  test('nobody waits for others when somebody has gone, who could not come back', async () => {
    const gone = place.run(
      'haggle',
      { anna: null, bob: null, ...two },
      {
        come({ addresses, credentials }) {
          const client = dial(addresses[0]!, credentials[1]!.credential)
          void client.told('signed in').then(() => client.drop())
        },
      },
    )
    await expect(gone).rejects.toThrow('Missing: anna, bob.')
  })

  test('a wish to stop is heard while everybody is waited for', async () => {
    const stop = new AbortController()
    const { report } = await place.run(
      'haggle',
      { anna: null, ...two },
      { signal: stop.signal, come: () => stop.abort() },
    )
    expect(report).toMatchObject({ state: 'stopped', matches: { total: 3, played: 0, void: 0 } })
  })
})

test('the agent in Python that docs/agents.md shows plays as it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/agents.md'), 'utf8')
  const code = /```python\n(import json, socket.*?)```/s.exec(page)![1]!
  const ran = await place.run(
    'haggle',
    { anna: null, ...two },
    {
      arena: { tcp: { host: '127.0.0.1', port: 0 } },
      come({ addresses, credentials }) {
        const { hostname, port } = new URL(addresses.find((each) => each.startsWith('tcp:'))!)
        spawn('python3', ['-c', code, hostname, port, credentials[0]!.credential], { stdio: 'inherit' })
      },
    },
  )
  expect(ran.report).toMatchObject({ state: 'finished', matches: { played: 3, void: 0 } })
  for (const row of ran.report.standings) expect(row).toMatchObject({ faults: 0 })
})

describe('on the command line', () => {
  const contest = (name: string, more: object = {}): string => {
    const file = join(place.folder, name)
    const entrants = [
      { name: 'anna', network: true },
      { name: 'baby', agent: two.baby },
    ]
    const usual = { title: 'T', game: 'haggle', format: { type: 'single' }, seed: 's', isolation: 'none', entrants }
    writeFileSync(file, JSON.stringify({ ...usual, limits: { startMs: 60_000, moveMs: 60_000 }, ...more }))
    return file
  }

  test.each(['ws', 'tcp'])('a contest and an agent, each in a terminal of its own, over %s', async (scheme) => {
    const key = join(place.folder, `${scheme}.json`)
    const args = ['--arena', '0', '--arena-tcp', '127.0.0.1:0', '--credentials', key, '--json', '--cores', '1']
    const running = tartaglia(
      'contest',
      'run',
      contest(`${scheme}-contest.json`),
      '--data',
      join(place.folder, scheme),
      ...args,
    )
    await running.said('Waiting for 1 agent')
    const [line = '', ...rest] = readFileSync(key, 'utf8').split('\n')
    expect(rest).toEqual([''])
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const { addresses, credentials } = JSON.parse(line) as OpenArena
    const credential = join(place.folder, `${scheme}-credential.txt`)
    writeFileSync(credential, `${credentials[0]!.credential}\n`)
    const address = addresses.find((each) => each.startsWith(`${scheme}://127.0.0.1:`))!
    const command = [process.execPath, agentFile, 'haggle']
    const agent = await tartaglia('agent', 'connect', address, '--credential', credential, '--json', '--', ...command)
      .ended
    const ended = await running.ended
    expect(ended.code, ended.stderr).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ state: 'finished', matches: { total: 1, played: 1, void: 0 } })
    for (const row of (JSON.parse(ended.stdout) as { standings: readonly object[] }).standings)
      expect(row).toMatchObject({ faults: 0 })
    expect(ended.stderr).not.toContain(credentials[0]!.credential)
    expect(agent.code, agent.stderr).toBe(0)
    expect(JSON.parse(agent.stdout)).toEqual({ url: address, matches: 1 })
    // The arena is closed.
    const late = await tartaglia('agent', 'connect', address, '--credential', credential, '--', ...command).ended
    expect(late.code).toBe(3)
    expect(late.stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('an agent whose program ends loses that match and no more; a wrong credential is refused in words', async () => {
    const running = tartaglia(
      ...['contest', 'run', contest('crash.json', { format: { type: 'round-robin', seats: 2, repeats: 2 } })],
      ...['--data', join(place.folder, 'crash'), '--arena', '0', '--json', '--cores', '1'],
    )
    const said = await running.said('Waiting for 1 agent')
    const address = /ws:\/\/127\.0\.0\.1:\d+/.exec(said)![0]
    const credential = join(place.folder, 'crash.txt')
    const command = [process.execPath, '-e', 'process.stdin.once("data", () => process.exit(7))']
    writeFileSync(credential, 'x'.repeat(43))
    const wrong = await tartaglia('agent', 'connect', address, '--credential', credential, '--', ...command).ended
    expect(wrong).toMatchObject({ code: 2, stderr: saying('credential') })
    writeFileSync(credential, / {2}anna: ([\w-]{43})\n/.exec(said)![1]!)
    const agent = await tartaglia('agent', 'connect', address, '--credential', credential, '--json', '--', ...command)
      .ended
    expect(JSON.parse(agent.stdout)).toMatchObject({ matches: 2 })
    const { stdout, stderr } = await running.ended
    const { standings } = JSON.parse(stdout) as { standings: readonly { agent: string }[] }
    expect(standings.find(({ agent: name }) => name === 'anna')).toMatchObject({ matches: 2, faults: 2 })
    expect(stderr).not.toContain('has gone')
  })

  test('a student who stops an agent is out of the contest, and has stopped it', async () => {
    const key = join(place.folder, 'stop.json')
    const running = tartaglia(
      ...['contest', 'run', contest('stop-contest.json'), '--data', join(place.folder, 'stop'), '--cores', '1'],
      ...['--arena', '0', '--credentials', key, '--json'],
    )
    await running.said('Waiting for 1 agent')
    const { addresses, credentials } = JSON.parse(readFileSync(key, 'utf8')) as OpenArena
    const credential = join(place.folder, 'stop.txt')
    writeFileSync(credential, credentials[0]!.credential)
    const mute = [process.execPath, '-e', 'process.stdin.once("data", () => console.error("thinking"))']
    const agent = tartaglia('agent', 'connect', addresses[0]!, '--credential', credential, '--', ...mute)
    await agent.said('thinking')
    agent.child.kill('SIGINT')
    expect(await agent.ended).toMatchObject({ code: 130, stdout: 'Played in 1 match.\n' })
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('anna has left') as string })
    const { standings } = JSON.parse(ended.stdout) as { standings: readonly { agent: string }[] }
    expect(standings.find(({ agent: name }) => name === 'anna')).toMatchObject({ faults: 1 })
  })

  test.each([
    ['no arena', {}, [], saying('"anna"', '--arena PORT')],
    [
      'nobody who connects',
      { entrants: ['a', 'b'].map((name) => ({ name, agent: two.baby })) },
      ['--arena', '0'],
      saying('entrant', 'arena'),
    ],
    ['an invalid port', {}, ['--arena', '70000'], saying('--arena <[host:]port>', '0 to 65535')],
    ['plain TCP alone', {}, ['--arena-tcp', '0'], saying('--arena-tcp', '--arena')],
    ["the game's own protocol alone", {}, ['--arena-native', '0'], saying('--arena-native', '--arena')],
    [
      'the own protocol of a game that has none',
      {
        game: 'specker',
        config: { challenge: 'max-csp' },
        entrants: [
          { name: 'a', network: true },
          { name: 'b', network: true },
        ],
      },
      ['--arena', '0', '--arena-native', '0'],
      saying('specker', 'protocol'),
    ],
    ['a host that is not this machine', {}, ['--arena', '192.0.2.1:0'], saying('192.0.2.1', 'address')],
    [
      'both a file and the network',
      {
        entrants: [
          { name: 'a', network: true, agent: two.baby },
          { name: 'b', agent: two.baby },
        ],
      },
      ['--arena', '0'],
      saying('entrants.0.agent', 'file', '"network": true'),
    ],
    [
      'neither',
      { entrants: [{ name: 'a' }, { name: 'b', agent: two.baby }] },
      [],
      saying('entrants.0.agent', 'file', '"network": true'),
    ],
  ])('%s is one sentence', async (name, more, args, says) => {
    const file = contest('bad.json', more)
    const ended = await tartaglia('contest', 'run', file, '--data', join(place.folder, `bad ${name}`), ...args).ended
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr.trimEnd()).not.toContain('\n')
    expect(ended.stderr).toEqual(says)
  })

  test('credentials are written over no other file', async () => {
    const file = join(place.folder, 'kept.json')
    writeFileSync(file, 'mine')
    const args = ['--arena', '0', '--credentials', file, '--data', join(place.folder, 'kept')]
    const ended = await tartaglia('contest', 'run', contest('kept-contest.json'), ...args).ended
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') as string })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
