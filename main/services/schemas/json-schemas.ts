import { contestFile } from '../../contract/contests/contests.ts'
import { jsonSchemaOf } from '../../contract/game/erased-game.ts'
import { verbOutputs } from '../../contract/outputs/verb-outputs.ts'
import { agentManifest } from '../../contract/players/agents.ts'
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

/** All schemas: the file of a contest, agent.json, for each game its settings, answers and inputs, and the outputs of verbs. */
export const publishedSchemas: readonly PublishedSchema[] = [
  { name: 'contest', title: 'A contest file', make: () => jsonSchemaOf(contestFile) },
  { name: 'agent', title: 'The agent.json of a package', make: () => jsonSchemaOf(agentManifest) },
  ...[...games.values()].flatMap((game) =>
    parts.map(([part, what]) => ({
      name: `${game.id}-${part}`,
      title: `${game.title}: ${what}`,
      make: () => game.jsonSchema(part),
    })),
  ),
  ...Object.entries(verbOutputs).map(([verb, output]) => ({
    name: `${verb.replaceAll(' ', '-')}-output`,
    title: `The output of \`tartaglia ${verb} --json\``,
    make: () => jsonSchemaOf(output),
  })),
]

/** The schema as a document of its own. */
export const schemaDocument = ({ name, title, make }: PublishedSchema): object => {
  const { $schema, ...schema } = make() as { readonly $schema?: string }
  return { $schema, $id: `tartaglia:${name}`, title, ...schema }
}
