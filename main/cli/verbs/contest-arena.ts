import { InvalidArgumentError, Option, type Command } from 'commander'
import type { RunContestOptions } from '../../services/contests/command/contest-command.ts'
import type { OpenArena } from '../../contract/players/arena.ts'
import { checkNewFile, writeNewFile } from '../../services/files/output-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { wholeNumber, type Context } from '../context.ts'
import { count, printedJson } from '../text.ts'

/** An address to listen on. */
interface Listen {
  readonly host: string
  readonly port: number
}

/** The arena options of the command line. */
export interface ArenaWords {
  readonly arena?: Listen
  readonly arenaTcp?: Listen
  readonly arenaNative?: Listen
  readonly credentials?: string
  readonly signIn?: number
}

/** The default time to wait for agents on other machines, in s. */
const SIGN_IN_S = 600

/** Options for contests with agents on other machines. */
export function addArenaOptions(verb: Command): Command {
  return verb
    .addOption(
      new Option(
        '--arena <[host:]port>',
        'accept agents on other machines by WebSocket (default host: 127.0.0.1; port 0: any free port)',
      ).argParser(listen),
    )
    .addOption(new Option('--arena-tcp <[host:]port>', 'also accept plain TCP connections').argParser(listen))
    .addOption(
      new Option(
        '--arena-native <[host:]port>',
        "also accept the game's own clients, in the game's own protocol",
      ).argParser(listen),
    )
    .option('--credentials <file>', 'write addresses and credentials as JSON to a new file instead of the terminal')
    .option('--sign-in <seconds>', `how long to wait for these agents (default: ${SIGN_IN_S})`, wholeNumber)
}

/** The requested arena. Credentials are written once, to the terminal or to the file. */
export function arenaOptions(
  { arena, arenaTcp, arenaNative, credentials, signIn = SIGN_IN_S }: ArenaWords,
  { environment }: Context,
  note: (text: string) => void,
): Pick<RunContestOptions, 'arena'> {
  if (arena === undefined) {
    const words = [arenaTcp && '--arena-tcp', arenaNative && '--arena-native', credentials && '--credentials']
    const lonely = words.find((each) => each !== undefined)
    if (lonely !== undefined) throw new ExpectedError('usage', 'option-missing', `${lonely} needs --arena.`)
    return {}
  }
  if (credentials !== undefined) checkNewFile(credentials)
  return {
    arena: {
      webSocket: arena,
      ...(arenaTcp === undefined ? {} : { tcp: arenaTcp }),
      ...(arenaNative === undefined ? {} : { native: arenaNative }),
      waitMs: signIn * 1_000,
      onOpen(open) {
        if (credentials === undefined) for (const line of told(open)) note(line)
        else {
          // Only the owner may read it.
          writeNewFile(credentials, `${printedJson(open)}\n`, 0o600)
          note(`The arena is open; addresses and credentials are in ${credentials}.`)
        }
        note(`Waiting for ${count(open.credentials.length, 'agent', 'agents')}, ${signIn} s at most.`)
      },
      onUnexpected(error, doing) {
        note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`)
        if (environment.env['TARTAGLIA_DEBUG'] === '1' && error instanceof Error)
          environment.stderr.write(`${error.stack}\n`)
      },
    },
  }
}

function told({ addresses, native, credentials }: OpenArena): readonly string[] {
  return [
    `The arena is open: ${addresses.join(', ')}`,
    ...(native === undefined ? [] : [`The game's own clients connect to ${native.address}. ${native.guide}`]),
    native === undefined
      ? 'Each agent needs its own credential. It is valid for one connection and is not shown again:'
      : "Each agent needs its own credential. It is valid for one connection, or for those of one of the game's own clients, and is not shown again:",
    ...credentials.map(({ entrant, line, credential }) => `  ${entrant}${line === 0 ? '' : ` ${line}`}: ${credential}`),
  ]
}

/** Parses an option's value: a port, optionally with a host; without one, on loopback. */
function listen(text: string): Listen {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(text) ?? []
  const port = digits === '' ? Infinity : Number(digits)
  if (port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535, such as 8090, or HOST:PORT.')
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
