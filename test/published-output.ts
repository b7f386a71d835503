import * as z from 'zod'
import { publishedSchemas, schemaDocument } from '../main/services/schemas/json-schemas.ts'

type Schema = Parameters<typeof z.fromJSONSchema>[0]

const read = new Map<string, z.ZodType>()

/** The schema that `tartaglia schema` publishes; null: none has this name. */
function schemaOf(name: string): z.ZodType | null {
  const found = publishedSchemas.find((each) => each.name === name)
  if (found === undefined) return null
  const known = read.get(name) ?? z.fromJSONSchema(schemaDocument(found) as Schema)
  read.set(name, known)
  return known
}

/**
 * Throws if a command line with --json has printed a line that fits neither the published schema of its verb nor that of errors. All
 * tests that run commands come through here, so that each output that a test sees is held against its schema.
 */
export function checkPublished(args: readonly string[], stdout: string): void {
  const end = args.indexOf('--')
  if (!args.slice(0, end === -1 ? args.length : end).includes('--json') || args.includes('--help')) return
  const words = args.slice(0, 3)
  const verb = [3, 2, 1].map((count) => words.slice(0, count).join('-')).find((name) => schemaOf(`${name}-output`))
  const schemas = ['error', ...(verb === undefined ? [] : [`${verb}-output`])]
  for (const line of stdout.split('\n')) {
    if (line === '') continue
    const tried = schemas.map((name) => schemaOf(name)!.safeParse(JSON.parse(line)))
    if (tried.some(({ success }) => success)) continue
    const issues = JSON.stringify(tried.at(-1)?.error?.issues).slice(0, 2_000)
    throw new Error(
      `${args.join(' ')} prints what its schema ${schemas.at(-1) ?? ''} refuses: ${issues} ${line.slice(0, 500)}`,
    )
  }
}
