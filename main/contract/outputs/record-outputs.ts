import * as z from 'zod'
import { dossierReport } from '../evidence/dossier-report.ts'

const chart = z.union([
  z.strictObject({
    ...{ kind: z.enum(['bar', 'line', 'scatter']), x: z.string(), y: z.string() },
    series: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('heat'), x: z.string(), y: z.string(), value: z.string() }),
])

const rows = {
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number()]).nullable())),
  more: z.boolean(),
}

const sqlTable = z.strictObject({
  ...{ name: z.string(), about: z.string(), isView: z.boolean() },
  columns: z.array(
    z.strictObject({ name: z.string(), type: z.enum(['INTEGER', 'REAL', 'TEXT']).nullable(), about: z.string() }),
  ),
})

const question = z.strictObject({
  ...{ title: z.string(), about: z.string(), sql: z.string(), columns: z.record(z.string(), z.string()) },
  parameters: z.record(
    z.string(),
    z.strictObject({
      ...{ kind: z.enum(['agent', 'whole', 'number', 'text']), about: z.string() },
      default: z.union([z.string(), z.number()]).nullable(),
    }),
  ),
  chart,
})

const dossierVerdict = dossierReport.extend({ ok: z.boolean() })

/** The outputs of verbs about events and evidence, with --json. */
export const recordOutputs = {
  mine: z.union([
    z.strictObject({ contest: z.string(), game: z.string(), ...rows }),
    z.strictObject({ contest: z.string(), game: z.string(), question: z.string(), about: z.string(), chart, ...rows }),
    z.strictObject({
      ...{ contest: z.string(), matches: z.number(), bytes: z.number(), anew: z.boolean() },
      added: z.strictObject({ matches: z.number(), events: z.number() }),
    }),
    z.strictObject({ contest: z.string(), ok: z.boolean(), matches: z.number(), problems: z.array(z.string()) }),
    z.strictObject({ games: z.array(z.strictObject({ game: z.string(), tables: z.array(sqlTable) })) }),
    z.strictObject({
      games: z.array(z.strictObject({ game: z.string(), questions: z.record(z.string(), question) })),
    }),
  ]),
  'dossier verify': dossierVerdict,
  'dossier show': dossierVerdict,
}
