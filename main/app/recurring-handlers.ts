import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import type { recurringProcedures } from '../contract/contests/recurring-procedures.ts'
import type { Challenges } from '../services/challenges/class-challenges.ts'
import { checkedDraft } from '../services/contests/descriptions/checked-draft.ts'
import type { Contests } from '../services/contests/kept/class-contests.ts'
import type { RecurringContests } from '../services/contests/recurring/recurring-contests.ts'

interface RecurringRoom {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly challenges: Challenges
  readonly recurring: RecurringContests
}

/** The procedures of recurring contests. */
export function recurringHandlers(room: RecurringRoom): Pick<Handlers, keyof typeof recurringProcedures> {
  const { home, contests, challenges, recurring } = room
  return {
    'recurring.list': () => recurring.list(),
    'recurring.add': ({ draft, ...wish }) =>
      home.inTurn(async () => ({
        recurring: await recurring.add(await checkedDraft(home, challenges, draft, undefined), wish),
      })),
    async 'recurring.repeat'({ contest, title, ...wish }) {
      const description = await contests.complete(contest)
      return { recurring: await recurring.add({ ...description, title }, wish) }
    },
    async 'recurring.edit'(change) {
      await recurring.edit(change)
      return null
    },
    async 'recurring.remove'({ recurring: id }) {
      await recurring.remove(id)
      return null
    },
    'recurring.run': async ({ recurring: id }) => ({ contest: await recurring.run(id) }),
  }
}
