import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { Caller } from '../contract/people/caller.ts'
import { textsIn } from '../contract/people/pseudonyms.ts'
import { procedureAccess, type Row } from '../contract/procedures/access.ts'
import type { Classroom } from '../contract/procedures/classroom.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import { checkNamesNobody } from '../services/pseudonyms/pseudonyms.ts'

type Handler = (input: unknown, caller: Caller) => Promise<unknown>

/** Handlers that refuse texts which become public (`publishes` in the table) and name somebody who appears under a pseudonym. */
export function namingNobody(home: Pick<ClassFolder, 'content'>, handlers: Handlers): Handlers {
  const guarded = Object.entries(handlers as Readonly<Record<string, Handler>>).map(([name, handler]) => {
    const row = procedureAccess[name as keyof typeof procedureAccess] as Row<unknown, unknown>
    if (row.publishes === undefined) return [name, handler] as const
    const checked: Handler = async (input, caller) => {
      checkNamesNobody(home.content, newTexts(home.content, row.publishes!(input)), writerOf(caller))
      return handler(input, caller)
    }
    return [name, checked] as const
  })
  // Each name has its own handler, which TypeScript cannot express for entries.
  return Object.fromEntries(guarded) as unknown as Handlers
}

/** The texts in a value except for public names of the class, which are chosen and not written: drawn ones can look like names of people. */
function newTexts(
  { agents, teams, components }: Pick<Classroom, 'agents' | 'teams' | 'components'>,
  value: unknown,
): readonly string[] {
  const texts = textsIn(value)
  if (texts.length === 0) return texts
  const known = new Set([
    ...agents.map(({ manifest }) => manifest.name),
    ...teams.map(({ name }) => name),
    ...components.map(({ author }) => author),
  ])
  return texts.filter((text) => !known.has(text))
}

const writerOf = ({ role, person }: Pick<Caller, 'role' | 'person'>): Parameters<typeof checkNamesNobody>[2] => ({
  isStaff: role === 'educator' || role === 'assistant',
  own: person === null ? [] : [person],
})
