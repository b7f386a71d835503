import type { Command } from 'commander'
import type { IsolationTier } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { PUNTERS_MAX } from '../../../services/games/punter/settings.ts'
import { addVerb, isolationOption, type Context } from '../../context.ts'
import { notePrinted, programOf } from '../../program-option.ts'
import { addGameOptions, configOf, limitsOf, printResult, type GameOptions } from './options.ts'

interface PlayOptions extends GameOptions {
  readonly offline: readonly string[]
  readonly endInput?: true
  readonly isolation?: IsolationTier
}

/** `tartaglia punter play`: plays one game of programs in offline mode. */
export function addPlay(punter: Command, context: Context): void {
  const verb = addVerb(
    punter,
    'play',
    'Play one game of programs in the offline mode of 2017, one process per move',
    'tartaglia punter play --map lambda.json --offline "./punter" --offline "bots/mine::python3 bot.py"',
  )
  addGameOptions(verb)
    .option(
      '--offline <command>',
      'a punter: a shell command, or FOLDER::COMMAND to run it there; repeat for each punter',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--end-input', 'end the input of a process after its message, for programs that read until it ends')
    .addOption(
      isolationOption().default(
        undefined,
        'none: your own programs run with your own rights, as official ones expect; a box shows them only FOLDER and the system',
      ),
    )
    .action((options: PlayOptions) => play(context, options))
}

async function play(context: Context, options: PlayOptions): Promise<void> {
  const { offline, isolation } = options
  if (offline.length < 2)
    throw new ExpectedError('usage', 'option-out-of-range', 'A game needs two punters: give --offline twice.')
  if (offline.length > PUNTERS_MAX)
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `A game is for ${PUNTERS_MAX} punters at most, not ${offline.length}.`,
    )
  const programs = offline.map((text) => programOf('--offline', text))
  const config = await configOf(options, { endInput: options.endInput ?? false })
  // Imported here because no other verb starts programs.
  const { playOffline } = await import('../../../services/games/punter/offline.ts')
  const result = await playOffline({
    config,
    programs,
    limits: limitsOf(options),
    isolation: isolation ?? null,
    onPrinted: (punter, text) => notePrinted(context, `Punter ${punter}`, text),
  })
  printResult(context, 'punter play', result)
}
