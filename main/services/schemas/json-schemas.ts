import { contestFile } from '../../contract/contests/contests.ts'
import { jsonSchemaOf } from '../../contract/game/erased-game.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import { errorOutput } from '../../contract/outputs/error-output.ts'
import { verbOutputs } from '../../contract/outputs/verb-outputs.ts'
import { agentManifest } from '../../contract/players/agents.ts'
import { SCHEMA_LINK } from '../../contract/schema-link.ts'
import { games } from '../../referees/games.ts'

/** A JSON Schema (2020-12) of a format that other programs write or read. */
export interface PublishedSchema {
  readonly name: string
  readonly title: string
  make(): object
}

const parts = [
  ['config', 'settings'],
  ['answer', 'answers of agents, as histories record them'],
  ['input', 'inputs in histories'],
] as const

/** Fields of the lines of programs besides those of a message. */
const asked = {
  question: { description: 'The number of the question; absent: no answer is wanted.', type: 'integer', minimum: 1 },
  limitMs: { description: 'The time for the answer, in ms.', type: 'number', minimum: 0 },
}
const answering = {
  question: {
    description: 'The question that it answers; absent: the oldest open one; null: none.',
    type: ['integer', 'null'],
  },
}
const body = { description: 'The body within the seat, from 0.', type: 'integer', minimum: 0 }

/** The schemas of a game's messages to programs and of programs, as they stand in lines. */
const messageSchemas = ({ id, title, programMessages: messages }: ErasedGame): readonly PublishedSchema[] => {
  if (messages === undefined) return []
  const notation = messages.form === 'lines' ? '' : ', as values of their lines'
  const made = (part: 'told' | 'said', what: string, fields: object): PublishedSchema => ({
    name: `${id}-${part}`,
    title: `${title}: messages ${what} programs${notation}`,
    make: () => {
      const schema = jsonSchemaOf(messages[part])
      return messages.form === 'lines' ? withFields(schema, fields, messages.bodies === true) : schema
    },
  })
  return [made('told', 'to', asked), made('said', 'of', answering)]
}

/** A union whose members have more fields. */
function withFields(schema: Members, fields: object, bodies: boolean): object {
  const extended = (members: readonly Members[]): object[] =>
    members.map(({ properties, required = [], ...member }) => ({
      ...member,
      properties: { ...properties, ...fields, ...(bodies ? { body } : {}) },
      required: bodies ? [...required, 'body'] : required,
    }))
  const { anyOf, oneOf, ...others } = schema
  return { ...others, ...(anyOf && { anyOf: extended(anyOf) }), ...(oneOf && { oneOf: extended(oneOf) }) }
}

interface Members {
  readonly properties?: object
  readonly required?: readonly string[]
  readonly anyOf?: readonly Members[]
  readonly oneOf?: readonly Members[]
}

/** The schema of a file that a person edits, which may name that schema. */
const linking = ({ properties, ...schema }: Members): object => ({
  ...schema,
  properties: {
    [SCHEMA_LINK]: { description: 'The address of this schema, for editors; Tartaglia ignores it.', type: 'string' },
    ...properties,
  },
})

/** All schemas: the file of a contest, agent.json, for each game its settings, answers, inputs and messages, the object of failures, and the outputs of verbs. */
export const publishedSchemas: readonly PublishedSchema[] = [
  { name: 'contest', title: 'A contest file', make: () => linking(jsonSchemaOf(contestFile)) },
  { name: 'agent', title: 'The agent.json of a package', make: () => linking(jsonSchemaOf(agentManifest)) },
  ...[...games.values()].flatMap((game) => [
    ...parts.map(([part, what]) => ({
      name: `${game.id}-${part}`,
      title: `${game.title}: ${what}`,
      make: () => game.jsonSchema(part),
    })),
    ...messageSchemas(game),
  ]),
  { name: 'error', title: 'The output of a command with --json that fails', make: () => jsonSchemaOf(errorOutput) },
  ...Object.entries(verbOutputs).map(([verb, output]) => ({
    name: `${verb.replaceAll(' ', '-')}-output`,
    title: `The output of \`tartaglia ${verb} --json\``,
    make: () => jsonSchemaOf(output),
  })),
]

/** The schema as a document of its own. */
export const schemaDocument = ({
  name,
  title,
  make,
}: PublishedSchema): Readonly<Record<string, unknown>> & { readonly $schema: string } => {
  const { $schema, ...schema } = make() as { readonly $schema: string }
  return { $schema, $id: `tartaglia:${name}`, title, ...schema }
}
