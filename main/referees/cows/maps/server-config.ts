import { SaxesParser } from 'saxes'
import {
  MAP_CHARACTERS_MAX,
  mapProblems,
  readMapFile,
  SIDE_MAX,
  SIDE_MIN,
  terrain,
  type Cell,
  type HerdMap,
  type MapReading,
  type Rectangle,
} from './map-file.ts'
import { sentence } from '../../../contract/sentence.ts'

/** The configuration of a match on the organisers' server of 2008. */
export interface ServerConfig {
  /** null: the file names none. */
  readonly port: number | null
  /** ms for an answer; null: the file has no accounts. */
  readonly timeoutMs: number | null
  /** In the order of the file. */
  readonly accounts: readonly Account[]
  readonly simulations: readonly ServerSimulation[]
}

export interface Account {
  readonly username: string
  readonly password: string
  readonly team: string
}

export interface ServerSimulation {
  readonly name: string
  readonly map: HerdMap
  readonly settings: SimulationSettings
}

/** Settings of a simulation by the names of our config; those that the file leaves out are absent. */
export type SimulationSettings = Partial<
  Record<(typeof settingNames)[keyof typeof settingNames] | 'cowPrivateWeight', number>
>

/** The attributes of a configuration that have a counterpart in our config, which checks their ranges. */
const settingNames = {
  maxNumberOfSteps: 'steps',
  lineOfSight: 'lineOfSight',
  attractionRange: 'attractionRange',
  fearRange: 'fearRange',
  cowWeight: 'cowWeight',
  agentWeight: 'agentWeight',
  emptyWeight: 'emptyWeight',
} as const

type Attributes = Readonly<Record<string, string>>

/** Simulations of one match, and accounts. */
const SIMULATIONS_MAX = 25
const ACCOUNTS_MAX = 200

/** The file cannot be used; the message is a sentence. */
class Unusable extends Error {
  override readonly name = 'Unusable'
}

/**
 * Reads the text of a configuration file of the organisers' server (`serverconfig.xml`): maps made by hand, as lists of positions.
 * A string: what is wrong with it, in a sentence. A cow or an obstacle that is listed twice counts once. The weight of a cow in the
 * private square is the negative double of that of another one, as on the server, but not below -10.
 */
export function readServerConfig(text: string): ServerConfig | string {
  try {
    return configOf(text)
  } catch (error) {
    if (error instanceof Unusable) return error.message
    throw error
  }
}

interface Drawn {
  readonly name: string
  readonly attributes: Attributes
  readonly arrays: Map<string, readonly number[]>
  readonly teams: string[]
}

function configOf(text: string): ServerConfig {
  let port: number | null = null
  const accounts: Account[] = []
  const timeouts: number[] = []
  const simulations: { readonly id: string; drawn: Drawn | null }[] = []
  const path: string[] = []
  read(text, (name, attributes) => {
    path.push(name)
    const simulation = simulations.at(-1)
    switch (path.join(' ')) {
      case 'conf network-agent':
        port = whole(attributes, 'port', 'network-agent')
        break
      case 'conf match simulation':
        if (simulations.length >= SIMULATIONS_MAX)
          throw new Unusable(`The match has more than ${SIMULATIONS_MAX} simulations.`)
        simulations.push({ id: attributes['id'] ?? String(simulations.length), drawn: null })
        break
      case 'conf match simulation configuration':
        simulation!.drawn = { name: simulation!.id, attributes, arrays: new Map(), teams: [] }
        break
      case 'conf match simulation configuration array':
        addArray(simulation!.drawn!, attributes)
        break
      case 'conf match simulation agents agent':
        simulation!.drawn?.teams.push(attributes['team'] ?? '')
        break
      case 'conf accounts account':
        if (accounts.length >= ACCOUNTS_MAX) throw new Unusable(`The file has more than ${ACCOUNTS_MAX} accounts.`)
        accounts.push(accountOf(attributes, accounts.length))
        timeouts.push(whole(attributes, 'timeout', `Account ${accounts.length}`))
        break
      default:
        if (path[0] !== 'conf')
          throw new Unusable('The file is not a configuration of the server of 2008: its root is not "conf".')
    }
    return () => path.pop()
  })
  if (simulations.length === 0) throw new Unusable('The configuration has no simulation.')
  return {
    port,
    timeoutMs: timeouts.length === 0 ? null : Math.max(...timeouts),
    accounts,
    simulations: simulations.map(({ id, drawn }) => {
      if (drawn === null) throw new Unusable(`Simulation "${id}" has no configuration.`)
      return simulationOf(drawn)
    }),
  }
}

/** Calls `open` with each element; it returns what is called at its end. */
function read(text: string, open: (name: string, attributes: Attributes) => () => void): void {
  const ends: (() => void)[] = []
  const options = { xmlns: false, position: true } as const
  const parser = new SaxesParser<typeof options>(options)
  parser.on('error', ({ message }) => {
    throw new Unusable(sentence(`The configuration is not XML: ${message}`))
  })
  parser.on('doctype', () => {
    throw new Unusable('The configuration has a document type, which is not allowed.')
  })
  parser.on('opentag', ({ name, attributes }) => ends.push(open(name, attributes)))
  parser.on('closetag', () => ends.pop()?.())
  parser.write(text).close()
}

/** A whole number in an attribute. `where`: whose it is, as the beginning of a sentence. */
function whole(attributes: Attributes, name: string, where: string): number {
  const text = attributes[name]
  if (text === undefined) throw new Unusable(`${where} has no attribute "${name}".`)
  if (!/^-?\d{1,9}$/.test(text))
    throw new Unusable(`${where}: the attribute "${name}" is not a whole number, but "${text.slice(0, 40)}".`)
  return Number(text)
}

function accountOf({ username, password, team }: Attributes, before: number): Account {
  if (username === undefined || password === undefined || team === undefined)
    throw new Unusable(`Account ${before + 1} needs the attributes "username", "password" and "team".`)
  return { username, password, team }
}

/** More than any grid has cells. */
const ITEMS_MAX = SIDE_MAX * SIDE_MAX

function addArray({ name, arrays }: Drawn, attributes: Attributes): void {
  const local = (wanted: string): string | undefined =>
    Object.entries(attributes).find(([each]) => each.slice(each.indexOf(':') + 1) === wanted)?.[1]
  const list = local('name')
  if (list === undefined) throw new Unusable(`Simulation "${name}" has a list without a name.`)
  const where = `Simulation "${name}": the list "${list}"`
  const length = whole({ length: local('length') ?? '' }, 'length', where)
  if (length < 0 || length > ITEMS_MAX) throw new Unusable(`${where} has ${length} items; there can be ${ITEMS_MAX}.`)
  arrays.set(
    list,
    Array.from({ length }, (_, at) => whole(attributes, `item${at}`, where)),
  )
}

function simulationOf(drawn: Drawn): ServerSimulation {
  const { name, attributes } = drawn
  const where = `Simulation "${name}"`
  const [width, height] = [whole(attributes, 'sizex', where), whole(attributes, 'sizey', where)]
  for (const side of [width, height])
    if (side < SIDE_MIN || side > SIDE_MAX)
      throw new Unusable(`${where} has a side of ${side} cells; it must have ${SIDE_MIN} to ${SIDE_MAX}.`)
  const cells = Array.from({ length: height }, () => Array<string>(width).fill(terrain.empty))
  const put = (what: string, of: string, character: string): void => {
    for (const [x, y] of positions(drawn, of)) {
      const before = cells[y]?.[x]
      if (before === undefined) throw new Unusable(`${where}: ${what} at column ${x}, row ${y} is not within the grid.`)
      if (before !== terrain.empty && before !== character)
        throw new Unusable(`${where}: ${what} at column ${x}, row ${y} stands on an obstacle.`)
      cells[y]![x] = character
    }
  }
  put('an obstacle', 'obstaclePosition', terrain.obstacle)
  put('a cow', 'cowPosition', terrain.cow)
  const map: HerdMap = {
    rows: cells.map((row) => row.join('')),
    corrals: [corralOf(drawn, 'stable1'), corralOf(drawn, 'stable2')],
    herders: herdersOf(drawn),
  }
  const [problem] = mapProblems(map)
  if (problem !== undefined) throw new Unusable(`${where}: ${problem}`)
  return { name, map, settings: settingsOf(attributes, where) }
}

function positions({ name, arrays }: Drawn, list: string): readonly Cell[] {
  const [columns, rows] = [arrays.get(`${list}X`), arrays.get(`${list}Y`)]
  const missing = columns === undefined ? 'X' : rows === undefined ? 'Y' : null
  if (missing !== null) throw new Unusable(`Simulation "${name}" has no list "${list}${missing}".`)
  if (columns!.length !== rows!.length)
    throw new Unusable(
      `Simulation "${name}": the list "${list}X" has ${columns!.length} items and "${list}Y" has ${rows!.length}.`,
    )
  return columns!.map((x, at): Cell => [x, rows![at]!])
}

function corralOf(drawn: Drawn, list: string): Rectangle {
  const [first, last, ...more] = positions(drawn, list)
  if (first === undefined || last === undefined || more.length > 0)
    throw new Unusable(`Simulation "${drawn.name}": the list "${list}X" must have two items.`)
  return { x0: first[0], y0: first[1], x1: last[0], y1: last[1] }
}

/** The herders of both teams: by the teams of the agents that are listed, or else the first half and the second. */
function herdersOf(drawn: Drawn): HerdMap['herders'] {
  const places = positions(drawn, 'agentPosition').map(([x, y]): [number, number] => [x, y])
  const half = places.length / 2
  const listed =
    drawn.teams.length === places.length ? drawn.teams : places.map((_, at) => (at < half ? 'first' : 'second'))
  const names = [...new Set(listed)]
  if (names.length !== 2)
    throw new Unusable(`Simulation "${drawn.name}" has agents of ${names.length} teams; there must be two.`)
  const of = (team: string | undefined): [number, number][] => places.filter((_, at) => listed[at] === team)
  return [of(names[0]), of(names[1])]
}

/** Spec 5.1. */
const LEAST_PRIVATE_WEIGHT = -10

function settingsOf(attributes: Attributes, where: string): SimulationSettings {
  const settings: { -readonly [name in keyof SimulationSettings]: SimulationSettings[name] } = {}
  for (const [theirs, ours] of Object.entries(settingNames))
    if (attributes[theirs] !== undefined) settings[ours] = whole(attributes, theirs, where)
  for (const speed of ['cowSpeed', 'agentSpeed'])
    if (attributes[speed] !== undefined && whole(attributes, speed, where) !== 1)
      throw new Unusable(`${where}: "${speed}" must be 1.`)
  const empty = settings.emptyWeight ?? 1
  if (attributes['obstacleWeight'] !== undefined && whole(attributes, 'obstacleWeight', where) !== -empty)
    throw new Unusable(`${where}: "obstacleWeight" must be ${-empty}, the opposite of "emptyWeight".`)
  const { cowWeight } = settings
  if (cowWeight !== undefined) settings.cowPrivateWeight = Math.max(LEAST_PRIVATE_WEIGHT, -2 * cowWeight)
  return settings
}

/** Reads a map: JSON, or the configuration of the organisers' server, of which it is the map of the first simulation. */
export function readMap(text: string): MapReading {
  if (text.length > MAP_CHARACTERS_MAX || !text.trimStart().startsWith('<')) return readMapFile(text)
  const config = readServerConfig(text)
  return typeof config === 'string' ? { problems: [config] } : { map: config.simulations[0]!.map }
}
