import { Option, type Command } from 'commander'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { PUNTERS_MAX } from '../../../services/games/punter/settings.ts'
import { addVerb, PORT_MAX, portNumber, wholeNumber, type Context } from '../../context.ts'
import { stoppable } from '../../interrupt.ts'
import { notePrinted } from '../../program-option.ts'
import { safeLine } from '../../text.ts'
import { addGameOptions, configOf, limitsOf, printResult, seconds, type GameOptions } from './options.ts'

interface ServeOptions extends GameOptions {
  readonly punters: number
  readonly host: string
  readonly port: number
  readonly tables: number
  readonly portPerTable?: true
  readonly private: number
  readonly games?: number
  readonly endless?: true
  readonly status?: number
  readonly handshakeTimeout: number
}

/** `tartaglia punter serve`: plays games with punters that connect in online mode. */
export function addServe(punter: Command, context: Context): void {
  const verb = addVerb(
    punter,
    'serve',
    'Play games with punters that connect in the online mode of 2017: one, or those of a lobby',
    'tartaglia punter serve --map lambda.json --punters 2 --port 9001',
  )
  addGameOptions(verb)
    .addOption(new Option('--punters <number>', 'number of punters of a game').argParser(wholeNumber).default(2))
    .addOption(new Option('--port <number>', '0: any free port').argParser(portNumber).default(0))
    .option('--host <address>', 'where to listen; 0.0.0.0 opens the game to the network', '127.0.0.1')
    .addOption(
      new Option('--handshake-timeout <seconds>', 'time limit for a punter to say its name')
        .argParser(seconds)
        .default(10),
    )
    .addOption(new Option('--tables <number>', 'games at the same time').argParser(wholeNumber).default(1))
    .option('--port-per-table', 'a port for each table: the next ones after --port')
    .addOption(
      new Option('--private <number>', 'number of tables that only punters with a token can join')
        .argParser(wholeNumber)
        .default(0),
    )
    .addOption(
      new Option('--games <number>', 'stop after this many games; default: one for each table').argParser(wholeNumber),
    )
    .option('--endless', 'play games until it is stopped')
    .addOption(
      new Option('--status <port>', 'serve a status page on this port; 0: any free port').argParser(portNumber),
    )
    .action((options: ServeOptions) => serve(context, options))
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { terminal } = context
  const { punters, host, port, portPerTable = false, tables, games = tables } = options
  if (punters < 2)
    throw new ExpectedError('usage', 'option-out-of-range', 'A game needs two punters: give --punters 2 or more.')
  if (punters > PUNTERS_MAX)
    throw new ExpectedError('usage', 'option-out-of-range', `--punters must be a number from 2 to ${PUNTERS_MAX}.`)
  if (tables < 1 || tables > TABLES_MAX) {
    throw new ExpectedError('usage', 'option-out-of-range', `--tables must be a number from 1 to ${TABLES_MAX}.`)
  }
  if (portPerTable && port + tables - 1 > PORT_MAX)
    throw new ExpectedError('usage', 'option-out-of-range', `There are no ports above ${PORT_MAX}.`)
  if (options.private > tables)
    throw new ExpectedError('usage', 'option-out-of-range', `Only ${tables} of the tables can be private.`)
  const config = await configOf(options)
  // Imported here because it is large and no other verb needs it.
  const { playOpenLobby } = await import('../../../services/games/punter/open-lobby.ts')
  let played = 0
  await stoppable(context, 'Stopping. Press Ctrl-C again to quit at once.', (signal) =>
    playOpenLobby({
      config,
      punters,
      host,
      port,
      portPerTable,
      tables,
      privateTables: options.private,
      games: options.endless === true ? Infinity : games,
      limits: limitsOf(options),
      handshakeMs: Math.round(options.handshakeTimeout * 1_000),
      status: options.status === undefined ? null : { host, port: options.status },
      about: aboutOf(options),
      signal,
      onOpen(open, status) {
        for (const { address, token } of open) {
          const how = token === null ? '' : ` with names that begin with ${token}/`
          terminal.note(`The game is open: ${address}. Waiting for ${punters} punters${how}.`)
        }
        if (status !== null) terminal.note(`Status page: ${status}`)
      },
      onResult({ table, names, result }) {
        played += 1
        const isOneOfMany = tables > 1 || games > 1 || options.endless === true
        if (isOneOfMany) {
          terminal.print(safeLine(`Game ${played}, table ${table + 1}: ${names.join(', ')}`))
        }
        printResult(context, 'punter serve', result, isOneOfMany ? { table: table + 1, names } : {})
      },
      onNotice: (text) => terminal.note(text),
      onPrinted: (table, punter, text) =>
        notePrinted(context, `${tables > 1 ? `Table ${table + 1}, punter` : 'Punter'} ${punter}`, text),
      onUnexpected: (error, doing) =>
        terminal.note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`),
    }),
  )
  if (played === 0) throw new ExpectedError('stopped', 'stopped', 'Stopped before all punters had connected.')
}

/** Tables of one lobby. */
const TABLES_MAX = 256

function aboutOf({ map, punters, futures, splurges, options }: ServeOptions): string {
  const extensions = [
    ...(futures ? ['futures'] : []),
    ...(splurges ? ['splurges'] : []),
    ...(options ? ['options'] : []),
  ]
  const name = map.split(/[/\\]/).at(-1) ?? map
  return `Games of ${punters} punters on ${name}, ${extensions.length === 0 ? 'no extensions' : extensions.join(', ')}.`
}
