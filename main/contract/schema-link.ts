import * as z from 'zod'

/** The field at the top of a JSON file by which an editor finds the file's JSON Schema, such as `"contest.schema.json"`. */
export const SCHEMA_LINK = '$schema'

/** True for an object with the field. */
export const linksSchema = (written: unknown): written is Readonly<Record<string, unknown>> =>
  typeof written === 'object' && written !== null && Object.hasOwn(written, SCHEMA_LINK)

/** Makes the schema of a file that a person edits accept a text `$schema`, which is not part of the value. */
export const withSchemaLink = <T extends z.ZodType>(schema: T) =>
  z.preprocess((written, context) => {
    if (!linksSchema(written)) return written
    const { [SCHEMA_LINK]: link, ...value } = written
    if (typeof link !== 'string')
      context.addIssue({ code: 'invalid_type', expected: 'string', input: link, path: [SCHEMA_LINK] })
    return value
  }, schema)
