import { type Command, Option } from 'commander'
import { addGroup, type Context, addVerb, exportOption, isolationOption, wholeNumber } from '../../context.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { readTextFile } from '../../../services/files/read-file.ts'
import type { CopsResult } from '../../../services/games/cops/play.ts'
import { completeSettings, madeTown, type TownOptions } from '../../../services/games/cops/settings.ts'
import { notePrinted, programOf } from '../../program-option.ts'
import { safeLine } from '../../text.ts'
import { putMade, share } from '../../made-text.ts'

/** `tartaglia cops play`, `map`. */
export function addCops(program: Command, context: Context): void {
  const cops = addGroup(program, 'cops', 'Cops & Robbers: single games, towns')
  addPlay(cops, context)
  addMap(cops, context)
}

interface PlayOptions {
  readonly map: string
  readonly robber: string
  readonly cop: readonly string[]
  readonly twist?: true
  readonly worlds: number
  readonly mcgruffs: number
  readonly illegal: 'disqualified' | 'stands-still'
  readonly moveTimeout: number
  readonly isolation?: IsolationTier
  readonly export?: string
}

/** Cops of a game. */
const COPS = 5

/** `tartaglia cops play`: plays one game of programs. */
function addPlay(cops: Command, context: Context): void {
  const verb = addVerb(
    cops,
    'play',
    'Play one game of six programs with the protocol of 2005',
    'tartaglia cops play --map town.wsk --robber "./robber" --cop "./cop" --cop "./cop" --cop "bots::python3 cop.py" --cop "./cop" --cop "./cop"',
  )
  verb
    .requiredOption('--map <file>', 'a map: a world skeleton of 2005')
    .requiredOption('--robber <command>', 'the robber: a shell command, or FOLDER::COMMAND to run it there')
    .option(
      '--cop <command>',
      'a cop, like the robber; give it five times',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--twist', 'use the rules of the second phase: black market, bribes, pushes and accusations')
    .option('--worlds <number>', 'the number of the last world, even, up to 200', wholeNumber, 200)
    .option(
      '--mcgruffs <number>',
      'number of cops, from the last one, that stand still instead of being disqualified',
      wholeNumber,
      0,
    )
    .addOption(
      new Option('--illegal <rule>', 'what an illegal, malformed or late message costs')
        .choices(['disqualified', 'stands-still'])
        .default('disqualified'),
    )
    .option('--move-timeout <ms>', 'time limit of a message in ms', wholeNumber, 5_000)
    .addOption(exportOption('game'))
    .addOption(
      isolationOption().default(
        undefined,
        'none: your own programs run with your own rights; a box shows them only FOLDER and the system',
      ),
    )
    .action((options: PlayOptions) => play(context, options))
}

async function play(context: Context, options: PlayOptions): Promise<void> {
  const { map, robber, cop, twist, worlds, mcgruffs, illegal, moveTimeout, isolation, export: exportTo } = options
  if (cop.length !== COPS)
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `A game needs five cops: give --cop five times, not ${cop.length}.`,
    )
  const config = completeSettings({
    map: await readTextFile(map),
    rules: twist === true ? '2005-twist' : '2005',
    lastWorld: worlds,
    mcgruffs,
    illegal,
  })
  // Imported here because no other verb starts programs.
  const { playCops } = await import('../../../services/games/cops/play.ts')
  const result = await playCops({
    config,
    programs: [programOf('--robber', robber), ...cop.map((text) => programOf('--cop', text))],
    limits: { moveMs: moveTimeout },
    isolation: isolation ?? null,
    exportTo,
    onPrinted: (seat, text) => notePrinted(context, whoOf(seat), text),
  })
  printResult(context, result)
}

/** The option with which the program of a seat was given. */
const whoOf = (seat: number): string => (seat === 0 ? '--robber' : `--cop ${seat}`)

function printResult({ terminal }: Context, result: CopsResult): void {
  terminal.output('cops play', result)
  const { names, scores, refused, disqualified, waited, end, world, loot, banks, catchers } = result
  terminal.print(
    ...refused.map((each) => safeLine(`World ${each.world}, ${each.name}: ${each.text}`)),
    ...disqualified.flatMap((why, seat) =>
      why === null ? [] : [safeLine(`World ${world}: ${names[seat]} (${whoOf(seat)}) is disqualified. ${why}`)],
    ),
    ...(waited.length === 0 ? [] : [waitedNote(waited)]),
    end === 'caught'
      ? safeLine(`${catchers.join(' and ')} caught the robber in world ${world}; the banks have $${banks} left.`)
      : end === 'escaped'
        ? `The robber has escaped with $${loot}.`
        : 'The game is void: nobody scores.',
    ...names.map((name, seat) => safeLine(`${name}: ${scores[seat]}`)),
  )
}

function waitedNote(waited: readonly number[]): string {
  const who = waited.map(whoOf).join(', ')
  return `${who} only waited. A program registers by itself, must flush its output after each message, and must not wait for more lines than it gets.`
}

interface MapOptions extends TownOptions {
  readonly out?: string
}

/** `tartaglia cops map`: prints a new town as a world skeleton of 2005; with --json as one text. */
function addMap(cops: Command, context: Context): void {
  addVerb(
    cops,
    'map',
    'Make a town like Hyde Park: a world skeleton with one-way streets, shortcuts for cars and six banks',
    'tartaglia cops map --avenues 16 --streets 12 --seed Oxford --out oxford.wsk',
  )
    .option('--seed <text>', 'any text; equal seeds make equal towns', '1')
    .option('--avenues <number>', 'avenues, from 5 to 24; at most 240 corners', wholeNumber, 20)
    .option('--streets <number>', 'streets, from 5 to 20', wholeNumber, 11)
    .option('--gaps <share>', 'share of the sides of blocks to leave out, 0 to 0.4', share, 0.15)
    .option('--one-way <share>', 'share of one-way streets, 0 to 0.8', share, 0.38)
    .option('--culdesacs <number>', 'dead ends, up to 40', wholeNumber, 20)
    .option('--shortcuts <number>', 'ways for cars only, up to 200', wholeNumber, 120)
    .option('--out <file>', 'a new file for the town (default: stdout)')
    .action(({ out, ...options }: MapOptions) => {
      const { seed, avenues, streets, gaps, oneWay, culdesacs, shortcuts } = options
      const text = madeTown({ seed, avenues, streets, gaps, oneWay, culdesacs, shortcuts })
      putMade(context, 'town', text, out, (file) =>
        context.terminal.output('cops map', file === null ? { map: text } : { file }),
      )
    })
}
