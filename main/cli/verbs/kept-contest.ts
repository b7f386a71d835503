import type { Command } from 'commander'
import { afterRuling } from '../../contract/contests/ruling-words.ts'
import { DEFAULT_BOUNTY } from '../../contract/contests/policy.ts'
import {
  archiveContest,
  awardBounty,
  cancelContest,
  deleteContest,
  listContests,
  listRecurring,
  standingsOf,
} from '../../services/contests/command/kept-contests.ts'
import { systemClock } from '../../services/contests/recurring/wall-clock.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addDecisionVerbs } from './contest-decisions.ts'
import { addVerb, dataOption, wholeNumber, type Context } from '../context.ts'
import { rulingLines } from '../rulings.ts'
import { standingsLines } from '../standings.ts'
import { toolchainLines } from '../toolchain-lines.ts'
import { count, left, right, safeLine, tableOf } from '../text.ts'

/** `tartaglia contest list|standings|recurring|cancel|archive|delete|withdraw|enter|pair|bounty`: the verbs that play nothing. */
export function addKeptContestVerbs(group: Command, context: Context): void {
  addVerb(group, 'list', 'List the contests of a data folder', 'tartaglia contest list')
    .addOption(dataOption())
    .option('--archived', 'list the archived contests instead of the others')
    .action(async ({ data = defaultDataFolder(), archived }: { data?: string; archived?: true }) => {
      const all = await listContests(data, (text) => context.terminal.note(text))
      const contests = all.filter((each) => each.archived === (archived === true))
      context.terminal.output('contest list', { data, contests })
      const hidden = all.length - contests.length
      const others =
        hidden === 0 ? '' : archived === true ? ` ${hidden} are not archived.` : ` ${hidden} are archived (--archived).`
      const which = archived === true ? 'archived contests' : 'contests'
      if (contests.length === 0) return context.terminal.print(`There are no ${which} in ${safeLine(data)}.${others}`)
      context.terminal.print(
        ...tableOf(contests, [
          left('contest', ({ contest }) => contest),
          left('state', ({ state }) => state),
          right('entrants', ({ entrants }) => entrants),
          left('title', ({ title }) => title),
        ]),
      )
    })

  addVerb(
    group,
    'standings',
    'Show the standings of a contest, after rulings and as played, from its own files',
    'tartaglia contest standings week-1',
  )
    .argument('<id>', 'its id in `tartaglia contest list`')
    .option('--as-played', 'without the rulings of hearings')
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder(), asPlayed }: { data?: string; asPlayed?: true }) => {
      const { countColumns, ...found } = await standingsOf(data, id)
      const { title, matches, ruled } = found
      context.terminal.output('contest standings', found)
      const rows = asPlayed === true && ruled !== undefined ? ruled.asPlayed : found.standings
      const which = ruled === undefined ? '' : asPlayed === true ? ', as played' : `, ${afterRuling(ruled.after)}`
      context.terminal.print(
        `${safeLine(title)} (${id})${which}: ${count(matches.played, 'match', 'matches')} of ${matches.total} played.`,
        '',
        ...standingsLines(context.terminal, rows, countColumns),
        ...(ruled === undefined || asPlayed === true ? [] : rulingLines({ ...ruled, standings: found.standings })),
        ...toolchainLines(found.toolchains),
      )
    })

  addVerb(
    group,
    'recurring',
    'List the contests that begin by themselves while the classroom is open',
    'tartaglia contest recurring',
  )
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: { data?: string }) => {
      const recurring = await listRecurring(data, systemClock.now(), systemClock.zone())
      context.terminal.output('contest recurring', { data, recurring })
      if (recurring.length === 0) return context.terminal.print(`There are no recurring contests in ${safeLine(data)}.`)
      context.terminal.print(
        ...tableOf(recurring, [
          left('days', ({ days }) => daysText(days)),
          left('time', ({ time, timeZone }) => `${time} ${timeZone}`),
          left('next', ({ next }) => next ?? 'paused'),
          left('last', ({ last }) => last ?? 'none yet'),
          left('title', ({ title }) => title),
        ]),
      )
    })
  addChanges(group, context)
  addDecisionVerbs(group, context)
}

function addChanges(group: Command, context: Context): void {
  addVerb(
    group,
    'cancel',
    'Cancel a contest; matches already played are kept',
    'tartaglia contest cancel sample-contest-1',
  )
    .argument('<id>', 'its id in `tartaglia contest list`')
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder() }: { data?: string }) => {
      await cancelContest(data, id)
      context.terminal.output('contest cancel', { contest: id, state: 'cancelled' })
      context.terminal.print(`${safeLine(id)} is cancelled.`)
    })

  addVerb(
    group,
    'archive',
    'Leave a contest that is over out of lists; its results count all the same',
    'tartaglia contest archive sample-contest-1',
  )
    .argument('<id>', 'its id in `tartaglia contest list`')
    .option('--restore', 'list it again')
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder(), restore }: { data?: string; restore?: true }) => {
      await archiveContest(data, id, restore === undefined)
      context.terminal.output('contest archive', { contest: id, archived: restore === undefined })
      context.terminal.print(`${safeLine(id)} is ${restore === undefined ? 'archived' : 'listed again'}.`)
    })

  addVerb(
    group,
    'delete',
    'Show the consequences of deleting a contest; with --yes, delete it with its histories',
    'tartaglia contest delete sample-contest-1 --yes',
  )
    .argument('<id>', 'its id in `tartaglia contest list`')
    .option('--yes', 'delete it')
    .addOption(dataOption())
    .action(async (id: string, { data = defaultDataFolder(), yes }: { data?: string; yes?: true }) => {
      const { consequences } = await deleteContest(data, id, yes === true)
      context.terminal.output('contest delete', { contest: id, deleted: yes === true, consequences })
      context.terminal.print(
        ...consequences,
        yes === true ? `${safeLine(id)} is deleted.` : 'Nothing was deleted: --yes deletes it.',
      )
    })

  addVerb(
    group,
    'bounty',
    'Reward an agent that found a bug in the administrator in a practice contest',
    'tartaglia contest bounty practice-1 anna --why "It was paid twice for one solution."',
  )
    .argument('<id>', 'its id in `tartaglia contest list`')
    .argument('<agent>', 'an entrant')
    .requiredOption('--why <sentence>', 'what the administrator got wrong')
    .option('--energy <number>', `life energy, awarded outside of matches (default: ${DEFAULT_BOUNTY})`, wholeNumber)
    .addOption(dataOption())
    .action(async (contest: string, agent: string, options: { data?: string; why: string; energy?: number }) => {
      const { data = defaultDataFolder(), why, energy = DEFAULT_BOUNTY } = options
      await awardBounty(data, contest, { agent, energy, why })
      context.terminal.output('contest bounty', { contest, agent, energy, why })
      context.terminal.print(`${safeLine(agent)} has earned ${energy} for ${safeLine(contest)}.`)
    })
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `days`: 1 (Monday) to 7. */
function daysText(days: readonly number[]): string {
  return days.length === weekdays.length ? 'daily' : days.map((day) => weekdays[day - 1]).join(', ')
}
