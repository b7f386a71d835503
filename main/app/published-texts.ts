import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { Caller } from '../contract/people/caller.ts'
import { textsIn } from '../contract/people/pseudonyms.ts'
import { procedureAccess, type Row } from '../contract/procedures/access.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import { checkNamesNobody } from '../services/people/pseudonyms.ts'

type Handler = (input: unknown, caller: Caller) => Promise<unknown>

/** Handlers that refuse texts which become public (`publishes` in the table) and name somebody who appears under a pseudonym. */
export function namingNobody(home: Pick<ClassFolder, 'content'>, handlers: Handlers): Handlers {
  const guarded = Object.entries(handlers as Readonly<Record<string, Handler>>).map(([name, handler]) => {
    const row = procedureAccess[name as keyof typeof procedureAccess] as Row<unknown, unknown>
    if (row.publishes !== true) return [name, handler] as const
    const checked: Handler = async (input, caller) => {
      checkNamesNobody(home.content, textsIn(input))
      return handler(input, caller)
    }
    return [name, checked] as const
  })
  // Each name has its own handler, which TypeScript cannot express for entries.
  return Object.fromEntries(guarded) as unknown as Handlers
}
