import type { Command } from 'commander'
import { roundPairing } from '../../contract/contests/decisions.ts'
import { entrantName, newName } from '../../contract/ids.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { line } from '../../contract/players/line.ts'
import { decideContest, lateEntry, nextRoundOf } from '../../services/contests/command/kept-contests.ts'
import { readJsonFile } from '../../services/files/read-file.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, wholeNumber, type Context } from '../context.ts'
import { safeLine } from '../text.ts'

interface Options {
  readonly data?: string
  readonly reason?: string
  readonly yes?: true
}

/** The pairing of a round in a file. */
const pairingFile = roundPairing.omit({ round: true })

/** `tartaglia contest withdraw|enter|pair|accept`: what the educator decides about a contest that is stopped. */
export function addDecisionVerbs(group: Command, context: Context): void {
  const deciding = (verb: string, does: string, example: string): Command =>
    addVerb(group, verb, does, example)
      .argument('<id>', 'its id in `tartaglia contest list`')
      .option('--reason <sentence>', 'recorded with the decision')
      .option('--yes', 'do it')
      .addOption(dataOption())

  deciding(
    'withdraw',
    'Show the consequences of withdrawing an entrant from a stopped contest; with --yes, withdraw it',
    'tartaglia contest withdraw week-1 anna --yes',
  )
    .argument('<entrant>', 'its name in the contest')
    .action((id: string, entrant: string, options: Options) => {
      const name = checked(entrantName, entrant, 'The entrant')
      return decided(context, 'withdraw', id, options, () => ({
        type: 'withdraw',
        entrant: name,
        ...reasonOf(options),
      }))
    })

  deciding(
    'enter',
    'Show the consequences of a late entry of an agent in a stopped contest; with --yes, enter it',
    'tartaglia contest enter week-1 anna --yes',
  )
    .argument('<agent>', 'an agent of the class, a version of it as NAME@HASH, or one that ships with the game')
    .option('--name <name>', 'its name in the contest (default: that of the agent)')
    .action((id: string, agent: string, { name, ...options }: Options & { readonly name?: string }) => {
      const given = name === undefined ? {} : { name: checked(newName, name, 'The name') }
      return decided(context, 'enter', id, options, (contests, home) =>
        lateEntry(contests, home, { contest: id, agent }, { ...given, ...reasonOf(options) }),
      )
    })

  deciding(
    'pair',
    'Print the pairing of the next round of a stopped contest, or pair it as a file says: with --yes',
    'tartaglia contest pair week-1 round-3.json --yes',
  )
    .argument('[file]', 'JSON: {"tables": [["anna", "bea"]], "byes": ["carl"]}')
    .option('--round <number>', 'the round of the file, from 1 (default: the next one)', wholeNumber)
    .action(async (id: string, file: string | undefined, options: Options & { readonly round?: number }) => {
      const { data = defaultDataFolder(), round } = options
      if (file === undefined) {
        const next = await nextRoundOf(data, id)
        context.terminal.output('contest pair', next)
        const { tables, byes } = next.pairing ?? { tables: [], byes: [] }
        const pairs = tables.map((table) => `    ${JSON.stringify(table)}`).join(',\n')
        const listed = `{\n  "tables": [\n${pairs}\n  ],\n  "byes": ${JSON.stringify(byes)}\n}`
        if (next.pairing === null)
          context.terminal.note(`Round ${next.round - 1} is not over: round ${next.round} is not paired yet.`)
        return context.terminal.print(...listed.split('\n').map(safeLine))
      }
      const pairing = await readJsonFile(file, pairingFile)
      return decided(context, 'pair', id, options, async (contests) => {
        const next = round ?? (await contests.nextRound(id)).round
        return { type: 'pair', round: next, ...pairing, ...reasonOf(options) }
      })
    })

  deciding(
    'accept',
    'Show the consequences of accepting that a repeated contest went differently; with --yes, it can go on',
    'tartaglia contest accept week-1-again --yes',
  ).action((id: string, options: Options) =>
    decided(context, 'accept', id, options, () => ({ type: 'accept', ...reasonOf(options) })),
  )
}

function reasonOf({ reason }: Options): { readonly reason?: string } {
  return reason === undefined ? {} : { reason: checked(line, reason, 'The reason') }
}

function checked<T>(schema: Parameters<typeof parsePlainly<T>>[0], value: unknown, what: string): T {
  const read = parsePlainly(schema, value)
  if (!read.ok) throw new ExpectedError('usage', 'input-invalid', `${what}: ${complaintSentence(read.complaint)}`)
  return read.value
}

async function decided(
  context: Context,
  verb: 'withdraw' | 'enter' | 'pair' | 'accept',
  id: string,
  { data = defaultDataFolder(), yes }: Options,
  wish: Parameters<typeof decideContest>[2],
): Promise<void> {
  const consequences = await decideContest(data, id, wish, yes === true)
  context.terminal.output(`contest ${verb}`, { contest: id, decided: yes === true, consequences })
  context.terminal.print(
    ...consequences.map(safeLine),
    yes === true ? 'It is decided.' : 'Nothing was decided: --yes does it.',
  )
}
