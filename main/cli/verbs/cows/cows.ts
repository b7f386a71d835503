import { type Command, Argument, InvalidArgumentError, Option } from 'commander'
import {
  addGroup,
  type Context,
  addVerb,
  wholeNumber,
  challengeDataOption,
  exportOption,
  portNumber,
} from '../../context.ts'
import type { VerbOutput } from '../../../contract/outputs/verb-outputs.ts'
import { madeMap, mapKinds, type MapOptions } from '../../../services/games/cows/made-map.ts'
import { putMade } from '../../made-text.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { OpenMatchResult, SimulationResult } from '../../../services/games/cows/open-match.ts'
import { stoppable } from '../../interrupt.ts'
import { safeLine } from '../../text.ts'

/** `tartaglia cows map`, `serve`. */
export function addCows(program: Command, context: Context): void {
  const cows = addGroup(program, 'cows', 'Cows and Herders: maps, matches with clients of 2008')
  addMap(cows, context)
  addServe(cows, context)
}

interface MapFileOptions extends Omit<MapOptions, 'kind'> {
  readonly out?: string
}

/** `tartaglia cows map`: prints a new map; with --json on one line. */
function addMap(cows: Command, context: Context): void {
  addVerb(
    cows,
    'map',
    'Make a map: JSON with rows of cells, corrals and herders',
    'tartaglia cows map maze --width 60 --height 60 --cows 80 --seed Lemuria --out lemuria.json',
  )
    .addArgument(new Argument('<kind>', 'the kind of the map; all but random are fair to both teams').choices(mapKinds))
    .option('--seed <text>', 'any text; equal seeds make equal maps', '1')
    .option('--width <cells>', 'from west to east, 20 to 150', wholeNumber, 70)
    .option('--height <cells>', 'from north to south, 20 to 150', wholeNumber, 70)
    .option('--obstacles <number>', 'the largest number of obstacles (random and scattered)', wholeNumber, 200)
    .option('--cows <number>', 'the largest number of cows, 2 to 1000', wholeNumber, 100)
    .option('--herders <number>', 'herders of each team, 1 to 20', wholeNumber, 6)
    .option('--corral <cells>', 'the side of each corral, up to a third of the shorter side', wholeNumber, 15)
    .option('--out <file>', 'a new file for the map (default: stdout)')
    .action((kind: MapOptions['kind'], { out, ...given }: MapFileOptions) => {
      const { seed, width, height, obstacles, cows: cattle, herders, corral } = given
      const text = madeMap({ kind, seed, width, height, obstacles, cows: cattle, herders, corral })
      putMade(context, 'map', text, out, (file) =>
        context.terminal.output('cows map', file === null ? (JSON.parse(text) as VerbOutput<'cows map'>) : { file }),
      )
    })
}

interface ServeOptions {
  readonly config: string
  readonly host: string
  readonly port?: number
  readonly profile?: (typeof profiles)[number]
  readonly timeout?: number
  readonly wait: number
  readonly export?: string
  readonly data: string
}

const profiles = ['document', 'server-2008'] as const

/** `tartaglia cows serve`: plays a match with clients of 2008. */
function addServe(cows: Command, context: Context): void {
  addVerb(
    cows,
    'serve',
    'Play a match with clients that speak the XML protocol of 2008, and print its result',
    'tartaglia cows serve --config serverconfig.xml --port 12300 --profile server-2008',
  )
    .requiredOption('--config <file>', "teams, users, maps: the organisers' XML configuration of 2008, or JSON")
    .addOption(new Option('--port <number>', '0: any free port; default: that of the file').argParser(portNumber))
    .option('--host <address>', 'where to listen; 0.0.0.0 opens the match to the network', '127.0.0.1')
    .addOption(
      new Option(
        '--profile <name>',
        'the rules as written, or as the server of 2008 had them; default: that of the file',
      ).choices(profiles),
    )
    .addOption(new Option('--timeout <ms>', 'time limit of a step; default: that of the file').argParser(milliseconds))
    .addOption(
      new Option('--wait <seconds>', 'begin after so long with the herders that have signed in')
        .argParser(wholeNumber)
        .default(600),
    )
    .addOption(exportOption('simulation'))
    .addOption(challengeDataOption('maps'))
    .action((options: ServeOptions) => serve(context, options))
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { terminal } = context
  // Imported here because they are large and no other verb needs them.
  const { readMatchFile } = await import('../../../services/games/cows/match-file.ts')
  const { playOpenMatch } = await import('../../../services/games/cows/open-match.ts')
  const match = await readMatchFile(options.config, options)
  const many = match.simulations.length > 1
  const stopping = 'Stopping when the simulation that is being played is over. Press Ctrl-C again to quit at once.'
  const result = await stoppable(context, stopping, (signal) =>
    playOpenMatch({
      teams: match.teams,
      simulations: match.simulations,
      timeoutMs: options.timeout ?? match.timeoutMs,
      host: options.host,
      port: options.port ?? match.port ?? 0,
      waitMs: options.wait * 1_000,
      exportTo: options.export,
      signal,
      onOpen(address) {
        const clients = match.teams.reduce((sum, { users }) => sum + users.length, 0)
        terminal.note(`The match is open: ${address}. Waiting for ${clients} clients.`)
      },
      onSimulation(simulation) {
        if (many) terminal.note(safeLine(simulationLine(simulation)))
      },
      onNotice: (text) => terminal.note(safeLine(text)),
      onUnexpected: (error, doing) =>
        terminal.note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`),
    }),
  )
  if (result === null || result.simulations.length === 0)
    throw new ExpectedError('stopped', 'stopped', 'Stopped before all clients had signed in.')
  terminal.output('cows serve', result)
  terminal.print(...linesOf(result))
}

function linesOf({ teams, winner, simulations }: OpenMatchResult): readonly string[] {
  return [
    ...simulations.map(simulationLine),
    ...teams.map(({ name, points, cows }) => `${name}: ${points} points, ${cows} cows`),
    winner === null ? 'The match is a draw.' : `${winner} has won the match.`,
  ].map(safeLine)
}

function simulationLine({ name, teams, scores }: SimulationResult): string {
  return `Simulation ${name}: ${teams.map((team, seat) => `${team} ${scores[seat]}`).join(', ')}`
}

/** A number of ms. Throws InvalidArgumentError. */
function milliseconds(text: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > 600_000) throw new InvalidArgumentError('It must be a number of ms from 1 to 600000.')
  return value
}
