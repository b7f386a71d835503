import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../../main/cli/program.ts'
import { run } from '../../unit/cli/environment.ts'
import { pathMap } from '../../unit/punter/stage.ts'
import { openClient, plays, script } from './client.ts'

const folder = mkdtempSync(join(tmpdir(), 'punter-serve-'))
afterAll(() => rmSync(folder, { recursive: true }))
const map = join(folder, 'path.json')
writeFileSync(map, pathMap(3))

/** Runs `punter serve`; `said` resolves to what a notice says in the group of the pattern. */
function serving(...options: readonly string[]) {
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  const stream = (take: (text: string) => void): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        take(chunk.toString('utf8'))
        for (const look of watchers) look()
        done()
      },
    })
  const code = runCli(['punter', 'serve', '--map', map, '--punters', '2', '--port', '0', ...options], {
    stdout: stream((text) => (stdout += text)),
    stderr: stream((text) => (stderr += text)),
    env: {},
    onInterrupt: () => () => undefined,
    exit: () => undefined,
  })
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [, found] = pattern.exec(stderr) ?? []
        if (found === undefined) return
        watchers.delete(look)
        resolve(found)
      }
      watchers.add(look)
      look()
    })
  return { code, said, stdout: () => stdout }
}

const claim = (punter: number, source: number) => ({ claim: { punter, source, target: source + 1 } })

test('serve plays one game, prints its result as one JSON object, and exits with 0', async () => {
  const { code, said, stdout } = serving('--json')
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
  const { code, said, stdout } = serving('--tables', '2', '--private', '1', '--status', '0', '--json')
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

test.each([
  [['--punters', '1'], 'A game needs two punters: give --punters 2 or more.'],
  [['--punters', '1001'], '--punters must be a number from 2 to 1000.'],
  [['--punters', '999999999'], '--punters must be a number from 2 to 1000.'],
  [['--tables', '300'], '--tables must be a number from 1 to 256.'],
  [['--private', '2'], 'Only 1 of the tables can be private.'],
  [['--port', '65535', '--tables', '2', '--port-per-table'], 'There are no ports above 65535.'],
])('what cannot be served is refused in a sentence: %j', async (args, text) => {
  const { code, stderr } = await run('punter', 'serve', '--map', map, ...args)
  expect(code).toBe(2)
  expect(stderr).toContain(text)
})
