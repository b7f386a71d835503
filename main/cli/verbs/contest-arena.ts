import { InvalidArgumentError, Option, type Command } from 'commander'
import type { RunContestOptions } from '../../services/contests/contest-command.ts'
import type { OpenArena } from '../../contract/arena.ts'
import { checkNewFile, writeNewFile } from '../../services/files/output-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { wholeNumber, type Context } from '../context.ts'
import { count, printedJson } from '../text.ts'

/** An address to listen on. */
interface Listen {
  readonly host: string
  readonly port: number
}

/** What was said of the arena on the command line. */
export interface ArenaWords {
  readonly arena?: Listen
  readonly arenaTcp?: Listen
  readonly arenaNative?: Listen
  readonly credentials?: string
  readonly signIn?: number
}

/** s that agents of other machines are waited for. */
const SIGN_IN_S = 600

/** The options of a contest in which agents of other machines play. */
export function addArenaOptions(verb: Command): Command {
  return verb
    .addOption(
      new Option(
        '--arena <[host:]port>',
        'where agents of other machines connect, by WebSocket; on 127.0.0.1 unless a host is named; port 0: any',
      ).argParser(listen),
    )
    .addOption(new Option('--arena-tcp <[host:]port>', 'open it to plain TCP connections, too').argParser(listen))
    .addOption(
      new Option(
        '--arena-native <[host:]port>',
        "open it to the game's own clients, too, which speak the game's own protocol",
      ).argParser(listen),
    )
    .option('--credentials <file>', 'write addresses and credentials as JSON into a new file, not to the terminal')
    .option('--sign-in <seconds>', `how long these agents are waited for (default: ${SIGN_IN_S})`, wholeNumber)
}

/** The arena that was asked for; credentials go to the terminal or into the file, once. */
export function arenaOptions(
  { arena, arenaTcp, arenaNative, credentials, signIn = SIGN_IN_S }: ArenaWords,
  { environment }: Context,
  note: (text: string) => void,
): Pick<RunContestOptions, 'arena'> {
  if (arena === undefined) {
    const words = [arenaTcp && '--arena-tcp', arenaNative && '--arena-native', credentials && '--credentials']
    const lonely = words.find((each) => each !== undefined)
    if (lonely !== undefined) throw new ExpectedError('usage', `${lonely} wants --arena, too.`)
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
          // For the owner's eyes.
          writeNewFile(credentials, `${printedJson(open)}\n`, 0o600)
          note(`The arena is open; addresses and credentials are in ${credentials}.`)
        }
        note(`Waiting for ${count(open.credentials.length, 'agent', 'agents')}, ${signIn} s at most.`)
      },
      onUnexpected(error, doing) {
        note(`${doing}: an error that nobody expected: ${error instanceof Error ? error.message : String(error)}`)
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
    'Each agent needs its own credential, which is good for one connection and is not shown again:',
    ...credentials.map(({ entrant, line, credential }) => `  ${entrant}${line === 0 ? '' : ` ${line}`}: ${credential}`),
  ]
}

/** Parser of an option's value: a port of this machine, with a host or on loopback. */
function listen(text: string): Listen {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(text) ?? []
  const port = digits === '' ? Infinity : Number(digits)
  if (port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535, such as 8090, or HOST:PORT.')
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
