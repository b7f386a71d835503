import type { DueData } from '../../contract/people/retention.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

const DAY = 24 * 60 * 60 * 1_000

/** ISO 8601, a number of months later by the calendar, in UTC; the last day of a shorter month. */
function monthsAfter(moment: string, months: number): number {
  const from = new Date(moment)
  const to = new Date(from)
  to.setUTCMonth(from.getUTCMonth() + months)
  // The 31st of a month with 30 days is the first of the next one.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return to.getTime()
}

/** The data of a class that are due. `now`: ms since the epoch. A contest whose end was not recorded is never due. */
export function dueData(content: Pick<Classroom, 'settings' | 'people' | 'contests' | 'agents'>, now: number): DueData {
  const { people, contests, agents } = content
  const { leftDays, contestMonths, classMonths } = content.settings.retention
  const left =
    leftDays === 0
      ? []
      : people.flatMap(({ id, name, removed, erased }) =>
          removed !== undefined && erased === undefined && Date.parse(removed) + leftDays * DAY <= now
            ? [{ person: id, name, since: removed }]
            : [],
        )
  const over =
    contestMonths === 0
      ? []
      : contests.flatMap(({ id, ended, description: { title } }) =>
          ended !== undefined && monthsAfter(ended, contestMonths) <= now ? [{ contest: id, title, since: ended }] : [],
        )
  const events = [
    ...people.map(({ added }) => added),
    ...agents.map(({ submitted }) => submitted),
    ...contests.flatMap(({ ended, added }) => [ended ?? added ?? []].flat()),
  ].toSorted((a, b) => Date.parse(a) - Date.parse(b))
  const last = events.at(-1)
  const isDue = classMonths > 0 && last !== undefined && monthsAfter(last, classMonths) <= now
  return { left, contests: over, classSince: isDue ? last : null }
}

/** The reminders of a class, each a sentence and the place of the window where the educator decides. */
export function dueSentences({
  left,
  contests,
  classSince,
}: DueData): readonly { readonly text: string; readonly link: string }[] {
  const many = (count: number, one: string, more: string): string => (count === 1 ? one : `${count} ${more}`)
  return [
    ...(left.length === 0
      ? []
      : [
          {
            text: `${many(left.length, `${left[0]!.name} left the class and is`, 'people left the class and are')} due to be erased: decide about it.`,
            link: '#/people',
          },
        ]),
    ...(contests.length === 0
      ? []
      : [
          {
            text: `${many(contests.length, `"${contests[0]!.title}" is over and`, 'contests are over and')} due to be deleted: keep or delete.`,
            link: '#/contests',
          },
        ]),
    ...(classSince === null
      ? []
      : [
          {
            text: `Nothing has happened in this class since ${classSince.slice(0, 10)}: it is due to be deleted, or kept as an archive.`,
            link: '#/settings',
          },
        ]),
  ]
}
