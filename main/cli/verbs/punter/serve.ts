import { InvalidArgumentError, Option, type Command } from 'commander'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { stoppable } from '../../interrupt.ts'
import { addGameOptions, configOf, limitsOf, printResult, type GameOptions } from './options.ts'

interface ServeOptions extends GameOptions {
  readonly punters: number
  readonly host: string
  readonly port: number
}

/** `tartaglia punter serve`: plays one game with punters that connect in online mode. */
export function addServe(punter: Command, context: Context): void {
  const verb = addVerb(
    punter,
    'serve',
    'Play one game with punters that connect in the online mode of 2017',
    'tartaglia punter serve --map lambda.json --punters 2 --port 9001',
  )
  addGameOptions(verb)
    .addOption(new Option('--punters <number>', 'number of punters to wait for').argParser(wholeNumber).default(2))
    .addOption(new Option('--port <number>', '0: any free port').argParser(port).default(0))
    .option('--host <address>', 'where to listen; 0.0.0.0 opens the game to the network', '127.0.0.1')
    .action((options: ServeOptions) => serve(context, options))
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { terminal } = context
  const config = await configOf(options)
  const { punters, host, port } = options
  // Imported here because it is large and no other verb needs it.
  const { playOnline } = await import('../../../services/games/punter/online.ts')
  const say = (): void => terminal.note('Stopping. Press Ctrl-C again to quit at once.')
  const result = await stoppable(context, say, (signal) =>
    playOnline({
      config,
      punters,
      host,
      port,
      limits: limitsOf(options),
      signal,
      onOpen: (address) => terminal.note(`The game is open: ${address}. Waiting for ${punters} punters.`),
      onNotice: (text) => terminal.note(text),
      onUnexpected: (error, doing) =>
        terminal.note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`),
    }),
  )
  if (result === null) throw new ExpectedError('stopped', 'Stopped before all punters had connected.')
  printResult(context, result)
}

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (value > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return value
}
