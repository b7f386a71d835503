import { Argument, type Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { publishedSchemas, schemaDocument } from '../../services/schemas/json-schemas.ts'
import { addVerb, type Context } from '../context.ts'
import { left, tableOf } from '../text.ts'

/** `tartaglia schema [NAME]`: the JSON Schemas of the formats that other programs write or read. */
export function addSchema(program: Command, { terminal }: Context): void {
  addVerb(
    program,
    'schema',
    'Print a JSON Schema: of contest files, agent.json, a game, or the output of a verb with --json; or list them',
    'tartaglia schema contest > contest.schema.json',
  )
    .addArgument(new Argument('[name]', 'the schema; default: their list'))
    .action((name: string | undefined) => {
      if (name === undefined) {
        terminal.output('schema', { schemas: publishedSchemas.map((each) => ({ name: each.name, title: each.title })) })
        terminal.print(
          ...tableOf(publishedSchemas, [left('name', (each) => each.name), left('describes', ({ title }) => title)]),
        )
        return
      }
      const found = publishedSchemas.find((each) => each.name === name)
      if (found === undefined) {
        const names = publishedSchemas.map((each) => each.name)
        throw new ExpectedError('usage', 'schema-unknown', `No schema is called "${name}".${didYouMean(name, names)}`)
      }
      const schema = schemaDocument(found)
      terminal.output('schema', schema)
      terminal.print(JSON.stringify(schema, null, 2))
    })
}
