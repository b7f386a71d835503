import * as z from 'zod'
import { person } from '../people/people.ts'

const personChange = z.strictObject({
  name: z.string(),
  ids: z.strictObject({ school: z.string().optional(), canvas: z.string().optional(), login: z.string().optional() }),
  role: z.enum(['educator', 'assistant', 'student', 'guest']),
  email: z.string().optional(),
  section: z.string().optional(),
})

const listedPerson = z.strictObject({
  codeUntil: z.string().nullable(),
  id: z.string(),
  name: z.string(),
  ids: z.strictObject({ school: z.string().optional(), canvas: z.string().optional(), login: z.string().optional() }),
  role: z.enum(['educator', 'assistant', 'student', 'guest']),
  added: z.string(),
  email: z.string().optional(),
  section: z.string().optional(),
  asking: z.literal(true).optional(),
  joined: z.literal(true).optional(),
  pseudonym: z.literal(true).optional(),
  removed: z.string().optional(),
  erased: z.string().optional(),
})

/** The outputs of verbs about people, with --json. */
export const peopleOutputs = {
  'class people data': z.strictObject({ person: z.string(), file: z.string() }),
  'class people pseudonym': z.strictObject({
    person: z.string(),
    wished: z.boolean(),
    publicName: z.string().nullable(),
  }),
  'class people import': z.strictObject({
    added: z.array(personChange),
    changed: z.array(
      z.strictObject({
        person,
        to: personChange,
        returns: z.boolean(),
      }),
    ),
    unchanged: z.number(),
    gone: z.array(person),
    file: z.string(),
    dryRun: z.boolean(),
  }),
  'class people list': z.strictObject({ people: z.array(listedPerson) }),
  'class people code': z.strictObject({ person: z.string(), name: z.string(), code: z.string(), until: z.string() }),
  'class people remove': z.strictObject({ person: z.string(), name: z.string() }),
  'class people erase': z.strictObject({ person: z.string(), erased: z.boolean() }),
}
