import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { zip } from '../service/zip.ts'
import { RING_TOWN } from '../../unit/cops/stage.ts'
import { refusedCommand, saying } from '../../refusal.ts'

const folder = temporaryFolder('cops-verbs')
const inFolder = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const map = inFolder('ring.wsk', RING_TOWN)

/** Walks down the ring as a robber, up the ring as a cop. */
const walker = inFolder(
  'walker.js',
  `module.exports = {
    name: 'Walker',
    robber: ({ name, edges }) => ({
      move: (world) => {
        const here = world.players.find(({ bot }) => bot === name).loc
        const { from } = edges.find(({ to, type }) => to === here && type === 'foot')
        return world.players.some(({ loc }) => loc === from) ? here : from
      },
      bribe: (winner, world) => world.loot >= 50,
    }),
    cop: ({ name, robber, cops }) => ({
      inform: (world) => [{ bot: robber, loc: 'r1', ptype: 'robber', world: world.world, certainty: -100 }],
      plan: (informs, world) => informs.map(({ bot }) => ({ bot, loc: 'r1', ptype: 'cop-foot', world: world.world + 1 })),
      vote: (plans) => plans.map(({ bot }) => bot).reverse(),
      move: (winner, world) => {
        const { loc, ptype } = world.players.find(({ bot }) => bot === name)
        return { loc, ptype, market: name === cops[0] ? 'turncoat' : 'straight-arrow' }
      },
    }),
  }`,
)

/** A package with a program for each role. */
const programs = join(folder, 'programs.zip')
const manifest = {
  name: 'py',
  game: 'cops',
  kind: 'program',
  commands: { robber: ['python3', 'bot.py', 'robber', 'Py'], cop: ['python3', 'bot.py', 'cop-car', 'Py'] },
}
writeFileSync(
  programs,
  zip({
    'agent.json': JSON.stringify(manifest),
    'bot.py': readFileSync(join(import.meta.dirname, 'bot.py'), 'utf8'),
  }),
)

test('play prints how a game of six programs ended', async () => {
  const bot = (words: string): string => `${import.meta.dirname}::python3 bot.py ${words}`
  const cops = [1, 2, 3, 4, 5].flatMap((seed) => ['--cop', bot(`cop-foot Bob ${seed} twist`)])
  const kept = join(folder, 'kept')
  const words = ['--map', map, '--robber', bot('robber Fox 7 twist'), ...cops, '--move-timeout', '60000']
  const { code, stdout } = await run('cops', 'play', ...words, '--worlds', '10', '--twist', '--export', kept, '--json')
  expect(code).toBe(0)
  const verified = await run('history', 'verify', join(kept, 'match-0000.jsonl'), '--key', join(kept, 'class.pub'))
  expect(verified.stdout).toMatch(/genuine, .* \d\d\d inputs replayed/)
  const shown = await run('history', 'show', join(kept, 'match-0000.jsonl'))
  // The first line is the verdict.
  expect(shown.stdout).toMatch(/^.*intact.*\n/)
  expect(readFileSync(join(kept, 'match-0000.txt'), 'utf8')).toBe(shown.stdout.replace(/^.*\n/, ''))
  expect(shown.stdout).toContain('robber (Fox) registers as Fox (robber).')
  expect(shown.stdout).toContain('"secondPhase":"as-written"')
  expect(JSON.parse(stdout)).toMatchObject({
    names: ['Fox', 'Bob', 'Bob2', 'Bob3', 'Bob4', 'Bob5'],
    disqualified: Array(6).fill(null),
    refused: [],
  })
  const few = await run(
    'cops',
    'play',
    '--map',
    map,
    '--robber',
    bot('robber Fox'),
    '--cop',
    bot('cop-foot Bob'),
    '--json',
  )
  expect(JSON.parse(few.stdout)).toEqual(refusedCommand('option-out-of-range', '--cop', 1))
}, 60_000)

test.each([
  ['scripts, first phase', walker, {}],
  ['scripts, second phase', walker, { rules: '2005-twist' }],
  ['programs against scripts', programs, { illegal: 'stands-still' }],
])(
  'a match of %s can be exported, verified and shown',
  async (_, other, settings) => {
    const config = inFolder('config.json', JSON.stringify({ lastWorld: 40, ...settings }))
    const file = join(folder, 'match.history')
    const words = ['--game', 'cops', walker, other, '--map', map, '--config', config, '--export', file, '--overwrite']
    const played = await run('match', 'play', ...words, '--json')
    expect([played.code, played.stderr]).toEqual([0, ''])
    const verified = await run('history', 'verify', file)
    expect(verified.stdout).toMatch(/intact, .* inputs replayed/)
    const shown = await run('history', 'show', file)
    expect(shown.stdout).toContain('registers as')
    expect(shown.stdout).toContain('World 2: ')
    expect(shown.stdout).not.toContain('disqualified:')
    // Scores are points everywhere but in the history.
    const { seats } = JSON.parse(played.stdout) as { seats: { seat: number; rank: number; score: number }[] }
    const results = seats.map(({ seat, rank, score }) => `seat ${seat} rank ${rank} (${score})`)
    expect(shown.stdout).toContain(`over: ${results.join(', ')}`)
  },
  60_000,
)

/** A safe robber that bribes whoever is offered; a cop that stands still and in world 37 accuses the second McGruff. */
const intriguer = inFolder(
  'intriguer.js',
  `${readFileSync(join(resources.agents, 'cops', 'tartaglia.js'), 'utf8')}
  const honest = module.exports
  module.exports = {
    name: 'Intriguer',
    robber: (game) => {
      const own = honest.robber(game)
      return {
        bribe: (winner, world) => world.loot >= 50,
        move: (world, offers) => ({ loc: own.move(world).loc, choose: offers ?? undefined }),
      }
    },
    cop: ({ name }) => ({
      move: (winner, { world, players, twist }) => ({
        moves: [name, ...twist.control.filter(({ brain }) => brain === name).map(({ bot }) => bot)].map((own) =>
          players.find(({ bot }) => bot === own),
        ),
        accuse: world === 37 ? ['McGruff2'] : [],
      }),
    }),
  }`,
)

test('shipped cops play the second phase: some list themselves, and go on when they are dirty or another one is out', async () => {
  const config = inFolder('config.json', JSON.stringify({ lastWorld: 60, rules: '2005-twist', map: 'hamlet' }))
  const file = join(folder, 'intrigue.history')
  const agents = [intriguer, 'house', 'house', 'tartaglia', 'baby', intriguer]
  const words = ['--game', 'cops', ...agents, '--config', config, '--export', file, '--overwrite']
  const played = await run('match', 'play', ...words, '--json')
  expect([played.code, played.stderr]).toEqual([0, ''])
  const { stdout } = await run('history', 'show', file)
  expect(stdout).toEqual(saying('lists', 'black market'))
  expect(stdout).toMatch(/is bribed/)
  expect(stdout).toMatch(/accuses house .* rightly/)
  expect(stdout).not.toContain('disqualified:')
}, 60_000)

test('a recorded move can be asked for again', async () => {
  const config = inFolder('config.json', JSON.stringify({ lastWorld: 10 }))
  const file = join(folder, 'replayed.history')
  await run('match', 'play', '--game', 'cops', walker, walker, '--map', map, '--config', config, '--export', file)
  const { code, stdout } = await run(
    'match',
    'replay',
    file,
    '--agent',
    walker,
    '--seat',
    '0',
    '--until',
    '2',
    '--json',
  )
  expect(code).toBe(0)
  expect(stdout).toContain('"loc":"r')
}, 60_000)
