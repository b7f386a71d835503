import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { serving } from '../cli/serving.ts'
import { pathMap } from '../../unit/punter/stage.ts'
import { openClient, plays, script } from './client.ts'
import { refusedCommand, type Fact } from '../../refusal.ts'

const folder = temporaryFolder('punter-serve')
const map = join(folder, 'path.json')
writeFileSync(map, pathMap(3))

const served = (...options: readonly string[]) =>
  serving('punter', 'serve', '--map', map, '--punters', '2', '--port', '0', ...options)

const claim = (punter: number, source: number) => ({ claim: { punter, source, target: source + 1 } })

test('serve plays one game, prints its result as one JSON object, and exits with 0', async () => {
  const { code, said, stdout } = served('--json')
  const address = await said(/The game is open: (\S+)\. Waiting for 2 punters\./)
  const [ann, bob] = [await openClient(address, 'Ann'), await openClient(address, 'Bob')]
  await Promise.all([plays(ann, script(claim(0, 0))), plays(bob, script(claim(1, 1)))])
  expect(await code).toBe(0)
  expect(JSON.parse(stdout())).toEqual({
    scores: [1, 0],
    futures: [0, 0],
    credits: [1, 0],
    options: [1, 1],
    zombies: [null, null],
    moves: 3,
    refused: [],
  })
})

test('serve plays the games of a lobby, with a token for a private table and a status page', async () => {
  const { code, said, stdout } = served('--tables', '2', '--private', '1', '--status', '0', '--json')
  const address = await said(/The game is open: (\S+)\. Waiting for 2 punters\./)
  const token = await said(/with names that begin with ([\w-]+)\/\./)
  const status = await said(/Status page: (\S+)/)
  const names = ['Ann', 'Bob', `${token}/Cid`, `${token}/Dan`]
  const clients = []
  for (const name of names.slice(0, 3)) clients.push(await openClient(address, name))
  await expect
    .poll(async () => (await fetch(status)).text())
    .toContain('Games of 2 punters on path.json, no extensions.')
  clients.push(await openClient(address, names[3]))
  await Promise.all(clients.map((client) => plays(client, script())))
  expect(await code).toBe(0)
  expect(stdout().trim().split('\n')).toHaveLength(2)
})

test.each<[string[], ...Fact[]]>([
  [['--punters', '1'], '--punters', 2],
  [['--punters', '1001'], '--punters', 2, 1000],
  [['--punters', '999999999'], '--punters', 2, 1000],
  [['--tables', '300'], '--tables', 1, 256],
  [['--private', '2'], 1],
  [['--port', '65535', '--tables', '2', '--port-per-table'], 65535],
])('what cannot be served is refused in a sentence: %j', async (args, ...facts) => {
  const { code, stdout } = await run('punter', 'serve', '--map', map, ...args, '--json')
  expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand('option-out-of-range', ...facts)])
})
