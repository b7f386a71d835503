import { InvalidArgumentError, Option, type Command } from 'commander'
import { addVerb, folderName, type Context } from '../../context.ts'
import { stoppable } from '../../interrupt.ts'
import { safeLine } from '../../text.ts'

interface ArenaOptions {
  readonly port: number
  readonly host: string
  readonly pow: number
  readonly data?: string
}

/** No client of 2018 could solve more bits in reasonable time. */
const POW_BITS_MAX = 32

/** `tartaglia haggle arena`: serves arenas for clients of the 2018 challenge until stopped; exit code 0. */
export function addHaggleArena(haggle: Command, context: Context): void {
  addVerb(
    haggle,
    'arena',
    'Serve arenas in which clients of the 2018 challenge meet, until stopped',
    'tartaglia haggle arena --port 8080',
  )
    .addOption(new Option('--port <number>', '0: any free port').argParser(numberTo(65_535)).default(0))
    .option('--host <address>', 'where to listen; 0.0.0.0 opens the arenas to the network', hostName, '127.0.0.1')
    .addOption(
      new Option('--pow <bits>', 'proof of work required of clients; 0: none')
        .argParser(numberTo(POW_BITS_MAX))
        .default(0),
    )
    .option('--data <folder>', 'data folder for statistics and histories (default: not stored)', folderName)
    .action((options: ArenaOptions) => serve(context, options))
}

async function serve(context: Context, { port, host, pow, data }: ArenaOptions): Promise<void> {
  const { terminal, environment } = context
  // Imported here because it is large and no other verb needs it.
  const { openHaggleArenas } = await import('../../../services/games/haggle/arena.ts')
  const onUnexpected = (error: unknown, doing: string): void => {
    terminal.note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`)
    if (environment.env['TARTAGLIA_DEBUG'] === '1' && error instanceof Error)
      environment.stderr.write(`${error.stack}\n`)
  }
  await stoppable(context, 'Stopping. Press Ctrl-C again to quit at once.', async (signal) => {
    const { address, names, close } = await openHaggleArenas({
      port,
      host,
      proofBits: pow,
      data: data ?? null,
      onUnexpected,
    })
    try {
      const arenas = Object.fromEntries(names.map((name) => [name, `ws://${address}/${name}`]))
      terminal.output('haggle arena', { address, arenas, scores: `http://${address}/scores/` })
      terminal.print(
        'The arenas are open:',
        ...Object.values(arenas).map((url) => `  ${safeLine(url)}`),
        `Statistics: http://${safeLine(address)}/scores/ARENA. Press Ctrl-C to close the arenas.`,
      )
      await aborted(signal)
    } finally {
      await close()
    }
  })
}

function numberTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
    if (value > most) throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`)
    return value
  }
}

function hostName(text: string): string {
  if (!/^[\w.:%-]+$/.test(text)) throw new InvalidArgumentError('It must be an address or a name of this machine.')
  return text
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
