import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { config, mapOf } from '../../../main/referees/cows/config.ts'
import { cows } from '../../../main/referees/cows/cows.ts'
import { readServerConfig, type ServerConfig } from '../../../main/referees/cows/maps/server-config.ts'
import { saying, type Fact } from '../../refusal.ts'

const list = (name: string, items: readonly number[]): string => {
  const attributes = items.map((item, at) => `item${at}="${item}"`).join(' ')
  return `<array ${attributes} meta:length="${items.length}" meta:name="${name}" />`
}
const lists = (name: string, places: readonly (readonly [number, number])[]): string =>
  `${list(
    `${name}Y`,
    places.map(([, y]) => y),
  )}\n${list(
    `${name}X`,
    places.map(([x]) => x),
  )}`

interface Parts {
  readonly attributes?: string
  readonly agents?: readonly (readonly [number, number])[]
  readonly cows?: readonly (readonly [number, number])[]
  readonly obstacles?: string
  readonly teams?: readonly string[]
  readonly stable1?: readonly (readonly [number, number])[]
}

/** A configuration like the organisers', of 6 by 5 cells. */
const written = ({
  attributes = 'sizex="6" sizey="5" maxNumberOfSteps="70" lineOfSight="17" fearRange="4" attractionRange="5" cowWeight="4" agentWeight="-150" emptyWeight="2" obstacleWeight="-2" cowSpeed="1"',
  agents = [
    [1, 1],
    [1, 3],
    [4, 1],
    [4, 3],
  ],
  cows: herd = [
    [2, 2],
    [3, 2],
    [2, 2],
  ],
  obstacles = lists('obstaclePosition', [
    [2, 0],
    [3, 4],
  ]),
  teams = ['blue', 'blue', 'red', 'red'],
  stable1 = [
    [0, 0],
    [0, 4],
  ],
}: Parts = {}): string => `<?xml version="1.0" encoding="utf-8"?>
<conf tournamentname="GridSimulation">
  <!-- a comment -->
  <network-agent port="12300" backlog="10" />
  <match>
    <simulation id="Lemuria" simulationclass="massim.simulation.GridSimulation">
      <configuration xmlns:meta="http://www.tu-clausthal.de/" ${attributes}>
        ${lists('agentPosition', agents)}
        ${lists('cowPosition', herd)}
        ${lists('stable1', stable1)}
        ${lists('stable2', [
          [5, 0],
          [5, 4],
        ])}
        ${obstacles}
      </configuration>
      <agents>${teams.map((team) => `<agent team="${team}"><configuration /></agent>`).join('')}</agents>
    </simulation>
  </match>
  <accounts>
    <actionclassmap name="Grid"><actionclass id="action" class="x" /></actionclassmap>
    <account timeout="4000" maxpacketlength="65536" username="b1" password="&lt;1&gt;" team="bot" />
    <account timeout="5000" username="p1" password="2" team="participant" />
  </accounts>
</conf>
`

const read = (text: string): ServerConfig => {
  const found = readServerConfig(text)
  if (typeof found === 'string') throw new Error(found)
  return found
}

test('map, weights, ranges, steps, users and port come from the file', () => {
  expect(read(written())).toEqual({
    port: 12_300,
    timeoutMs: 5_000,
    accounts: [
      { username: 'b1', password: '<1>', team: 'bot' },
      { username: 'p1', password: '2', team: 'participant' },
    ],
    simulations: [
      {
        name: 'Lemuria',
        map: {
          rows: ['..#...', '......', '..cc..', '......', '...#..'],
          corrals: [
            { x0: 0, y0: 0, x1: 0, y1: 4 },
            { x0: 5, y0: 0, x1: 5, y1: 4 },
          ],
          herders: [
            [
              [1, 1],
              [1, 3],
            ],
            [
              [4, 1],
              [4, 3],
            ],
          ],
        },
        settings: {
          steps: 70,
          lineOfSight: 17,
          attractionRange: 5,
          fearRange: 4,
          cowWeight: 4,
          cowPrivateWeight: -8,
          agentWeight: -150,
          emptyWeight: 2,
        },
      },
    ],
  })
})

test('the file is a map, too: for contests, and for the window', () => {
  expect(mapOf(config.parse({ map: written() }))).toEqual(read(written()).simulations[0]!.map)
  expect(cows.settings!.texts!['map']!.problem!(written())).toBeNull()
  expect(cows.settings!.texts!['map']!.problem!(written({ stable1: [[0, 0]] }))).toEqual(
    saying('Simulation "Lemuria"', '"stable1X"', 'two items'),
  )
})

test('herders belong to the teams of the agents that are listed', () => {
  expect(read(written({ teams: ['blue', 'red', 'blue', 'red'] })).simulations[0]!.map.herders).toEqual([
    [
      [1, 1],
      [4, 1],
    ],
    [
      [1, 3],
      [4, 3],
    ],
  ])
  expect(read(written({ teams: [] })).simulations[0]!.map.herders[0]).toEqual([
    [1, 1],
    [1, 3],
  ])
})

test.each<[string, string, ...Fact[]]>([
  ['no XML', 'hello', 'XML', '1:5'],
  ['another root', '<html/>', 2008, 'root', '"conf"'],
  ['a document type', '<!DOCTYPE conf [<!ENTITY a "b">]><conf/>', 'document type', 'not'],
  ['no simulation', '<conf><match/></conf>', 'no', 'simulation.'],
  [
    'a simulation without a configuration',
    '<conf><match><simulation id="x"/></match></conf>',
    'Simulation "x"',
    'no',
    'configuration.',
  ],
  ['no size', written({ attributes: 'sizex="6"' }), '"Lemuria"', 'no', 'attribute', '"sizey".'],
  ['a size that is too large', written({ attributes: 'sizex="201" sizey="5"' }), '"Lemuria"', 'side', 201, '4 to 200'],
  [
    'a size in words',
    written({ attributes: 'sizex="six" sizey="5"' }),
    '"Lemuria"',
    'attribute',
    '"sizex"',
    'whole number',
    '"six"',
  ],
  [
    'a missing item',
    written().replace(' item1="3"', ''),
    '"Lemuria"',
    'list',
    '"agentPositionY"',
    'no',
    'attribute',
    '"item1".',
  ],
  [
    'too many items',
    written().replace('meta:length="4"', 'meta:length="999999"'),
    '"Lemuria"',
    'list',
    '"agentPositionY"',
    '999999 items',
    40_000,
  ],
  ['no obstacles', written({ obstacles: '' }), '"Lemuria"', 'no', 'list', '"obstaclePositionX".'],
  [
    'lists of different lengths',
    written({ obstacles: list('obstaclePositionX', [1]) + list('obstaclePositionY', []) }),
    '"Lemuria"',
    '"obstaclePositionX" has 1',
    '"obstaclePositionY" has 0',
  ],
  ['a cow on an obstacle', written({ cows: [[2, 0]] }), '"Lemuria"', 'cow', 'column 2', 'row 0', 'on an obstacle'],
  ['a cow beyond the grid', written({ cows: [[6, 0]] }), '"Lemuria"', 'cow', 'column 6', 'row 0', 'not', 'grid'],
  [
    'a herder on a cow',
    written({
      agents: [
        [2, 2],
        [1, 3],
        [4, 1],
        [4, 3],
      ],
    }),
    '"Lemuria"',
    'Herder 0',
    'team 0',
    'on a cow',
  ],
  ['three teams', written({ teams: ['a', 'b', 'c', 'a'] }), '"Lemuria"', '3 teams', 'two'],
  ['faster cows', written({ attributes: 'sizex="6" sizey="5" cowSpeed="2"' }), '"Lemuria"', '"cowSpeed"', 'be 1'],
  [
    'attractive obstacles',
    written({ attributes: 'sizex="6" sizey="5" obstacleWeight="1"' }),
    '"Lemuria"',
    '"obstacleWeight"',
    'be -1',
    'opposite',
    '"emptyWeight"',
  ],
  ['an account without a team', written().replace(' team="bot"', ''), 'Account 1', '"username", "password" and "team"'],
])('%s is refused in a sentence', (_, text, ...facts) => {
  expect(readServerConfig(text)).toEqual(saying(...facts))
})

const shipped = new URL('../../../../shared/data/cows/serverconfig-2008.xml', import.meta.url)
test.skipIf(!existsSync(shipped))(
  'the file of 2008: 70 by 70 cells, 200 obstacles, 96 cows, since four are listed twice (needs ../shared/data)',
  () => {
    const { accounts, timeoutMs, simulations } = read(readFileSync(shipped, 'utf8'))
    expect([accounts.length, timeoutMs, simulations.length]).toEqual([12, 4_000, 1])
    const { map, settings, name } = simulations[0]!
    const all = map.rows.join('')
    const count = (character: string): number => all.split(character).length - 1
    expect([name, map.rows.length, map.rows[0]!.length, count('#'), count('c')]).toEqual([
      'WildWildWest',
      70,
      70,
      200,
      96,
    ])
    expect(map.corrals).toEqual([
      { x0: 0, y0: 55, x1: 14, y1: 69 },
      { x0: 55, y0: 0, x1: 69, y1: 14 },
    ])
    expect(map.herders.map(([first]) => first)).toEqual([
      [6, 35],
      [63, 35],
    ])
    expect(settings).toEqual({
      steps: 700,
      lineOfSight: 17,
      attractionRange: 5,
      fearRange: 4,
      cowWeight: 5,
      cowPrivateWeight: -10,
      agentWeight: -200,
      emptyWeight: 1,
    })
  },
)
