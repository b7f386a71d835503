import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'

const folder = temporaryFolder('cops-scripts')

/** An agent whose methods return or do one thing. It says what it would otherwise say. */
const agent = (name: string, methods: string): string => {
  const file = join(folder, `${name}.js`)
  writeFileSync(
    file,
    `const me = (name) => (world) => world.players.find(({ bot }) => bot === name)
    module.exports = {
      name: ${JSON.stringify(name)},
      robber: ({ name }) => ({ move: (world) => me(name)(world).loc }),
      cop: ({ name }) => ({ move: (winner, world) => me(name)(world), ${methods} }),
    }`,
  )
  return file
}

const deeds: readonly (readonly [deed: string, methods: string])[] = [
  [
    'many-informs',
    'inform: () => Array(100_000).fill({ bot: "a", loc: "b", ptype: "robber", world: 0, certainty: 0 })',
  ],
  ['long-names', 'inform: () => [{ bot: "x".repeat(1e6), loc: "b", ptype: "robber", world: 0, certainty: 0 }]'],
  ['controls', 'inform: () => [{ bot: "\\u001b[2J\\n", loc: "b", ptype: "robber", world: 0, certainty: 0 }]'],
  ['endless-list', 'inform: () => new Proxy([], { get: (list, key) => (key === "length" ? 2 ** 40 : list[0]) })'],
  ['ring', 'plan: () => { const list = []; list[0] = list; return list }'],
  ['throwing-getter', 'plan: () => [{ get bot() { throw new Error("\\u001b]0;x\\u0007") } }]'],
  ['ballot-of-others', 'vote: () => ["Robber", "nobody"]'],
  ['ballot-text', 'vote: () => "all"'],
  ['fractions', 'inform: () => [{ bot: "a", loc: "b", ptype: "robber", world: 0.5, certainty: NaN }]'],
  ['other-words', 'move: () => ({ loc: "__proto__", ptype: "cop-foot", constructor: 1 })'],
  ['changes-what-it-gets', 'inform: (world) => { world.players.length = 0; world.banks[0].value = 1e9; return [] }'],
  ['nothing', 'move: () => undefined'],
]

test.each(deeds)(
  'a cop with %s stands still, and the match goes on',
  async (deed, methods) => {
    const file = join(folder, `${deed}.history`)
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ map: 'hamlet', lastWorld: 4, illegal: 'stands-still' }))
    const words = [agent('honest', ''), agent(deed, methods), '--config', config, '--export', file]
    const played = await run('match', 'play', '--game', 'cops', ...words, '--json')
    expect([played.code, played.stderr]).toEqual([0, ''])
    const { seats } = JSON.parse(played.stdout) as { seats: { seat: number; removed: boolean }[] }
    expect(seats.map(({ removed }) => removed)).toEqual(Array(6).fill(false))
    const shown = await run('history', 'show', file)
    expect(shown.stdout).toContain('has escaped with $0.')
    // eslint-disable-next-line no-control-regex -- these are what must not reach a terminal
    expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  },
  60_000,
)
