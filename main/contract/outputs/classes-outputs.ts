import * as z from 'zod'
import { toolchainName } from '../players/toolchains.ts'
import { explanation, schemaOutput, unreadable } from './output-parts.ts'

const plannedContest = z.strictObject({ id: z.string(), title: z.string(), closes: z.string(), isOver: z.boolean() })

const termContest = z.strictObject({
  contest: z.string(),
  title: z.string(),
  game: z.string(),
  ended: z.string().nullable(),
  entrants: z.number(),
  afterRuling: z.number().optional(),
  isRated: z.boolean(),
})

const termRating = z.strictObject({ rating: z.number(), interval: z.tuple([z.number(), z.number()]).nullable() })

const termResult = z.strictObject({
  contest: z.string(),
  entrant: z.string(),
  rank: z.number(),
  of: z.number(),
  points: z.number(),
  score: z.number(),
  asPlayed: z.strictObject({ rank: z.number(), points: z.number() }).optional(),
  after: termRating.nullable(),
})

const termVersion = z.strictObject({
  agent: z.string(),
  hash: z.string(),
  version: z.number().nullable(),
  contests: z.number(),
  rating: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
})

const termRow = z.strictObject({
  team: z.string().nullable(),
  name: z.string(),
  rank: z.number().nullable(),
  points: z.number(),
  asPlayed: z.strictObject({ points: z.number(), rating: z.number() }).optional(),
  matches: z.number(),
  results: z.array(termResult),
  best: termVersion.nullable(),
  latest: termVersion.nullable(),
  trend: z.enum(['rising', 'falling', 'steady']).nullable(),
  rating: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
})

const termTable = z.strictObject({
  contests: z.array(termContest),
  rows: z.array(termRow),
  unreadable: z.array(z.string()),
})

const keptKind = z.strictObject({ what: z.string(), why: z.string(), seen: z.string(), until: z.string() })

const dueData = z.strictObject({
  left: z.array(z.strictObject({ person: z.string(), name: z.string(), since: z.string() })),
  contests: z.array(z.strictObject({ contest: z.string(), title: z.string(), since: z.string() })),
  classSince: z.string().nullable(),
})

const pseudonymLine = z.strictObject({ pseudonym: z.string(), team: z.string(), members: z.array(z.string()) })

const tried = z.strictObject({
  tiers: z.array(z.enum(['bubblewrap', 'shared', 'permission', 'none'])),
  command: z.string(),
  code: z.number().nullable(),
})

const doctorFinding = z.strictObject({
  name: z.string(),
  verdict: z.enum(['good', 'weak', 'bad']),
  text: z.string(),
  advice: z.string().optional(),
})

const selfTestCheck = z.strictObject({ name: z.string(), holds: z.boolean(), detail: z.string() })

const selfTestReport = z.strictObject({
  tier: z.enum(['bubblewrap', 'shared', 'permission', 'none']),
  checks: z.array(selfTestCheck),
})

/** The outputs of verbs about classes, with --json. */
export const classesOutputs = {
  serve: z.strictObject({
    address: z.string(),
    data: z.string(),
    network: z
      .strictObject({
        ...{ addresses: z.array(z.string()), by: z.enum(['class', 'own', 'proxy']) },
        ...{ fingerprint: z.string().nullable(), keyFingerprint: z.string().nullable() },
      })
      .optional(),
  }),
  'class passphrase': z.strictObject({ names: z.enum(['none', 'locked', 'unlocked']) }),
  toolchains: z.strictObject({
    toolchains: z.array(z.strictObject({ name: toolchainName, title: z.string(), version: z.string().nullable() })),
    missing: z.array(z.string()),
  }),
  schema: z.union([
    z.strictObject({ schemas: z.array(z.strictObject({ name: z.string(), title: z.string() })) }),
    schemaOutput,
  ]),
  address: z.strictObject({ address: z.string(), data: z.string() }),
  'class export': z.strictObject({
    counts: z.strictObject({
      people: z.number(),
      teams: z.number(),
      agents: z.number(),
      components: z.number(),
      contests: z.number(),
    }),
    files: z.number(),
    leftOut: z.array(z.string()),
    file: z.string(),
    encrypted: z.boolean(),
  }),
  'class import': z.strictObject({
    data: z.string(),
    program: z.string(),
    made: z.string(),
    counts: z.strictObject({
      people: z.number(),
      teams: z.number(),
      agents: z.number(),
      components: z.number(),
      contests: z.number(),
    }),
    files: z.number(),
    makesBackups: z.boolean(),
    paused: z.number(),
  }),
  'class new-term': z.strictObject({
    contests: z.array(plannedContest),
    agents: z.array(z.string()),
    leftOut: z.array(z.string()),
    data: z.string(),
  }),
  'class sample-term': z.strictObject({
    contests: z.array(z.string()),
    closedCase: z.string(),
    openCase: z.string(),
    data: z.string(),
  }),
  'class table': termTable,
  'class grades': z.union([
    z.strictObject({
      grades: z.array(
        z.strictObject({
          explanation: explanation,
          person: z.string(),
          name: z.string(),
          team: z.string().nullable(),
          value: z.number(),
          band: z.string().nullable(),
          manual: z.strictObject({ band: z.string().nullable(), value: z.number(), reason: z.string() }).nullable(),
        }),
      ),
      unreadable: unreadable,
    }),
    z.strictObject({
      releasedAt: z.string().nullable(),
      unreleased: z.array(z.string()),
      differing: z.array(z.string()),
      file: z.string(),
      filled: z.number(),
      unmatched: z.array(z.string()),
      missing: z.array(z.string()),
      unlabelled: z.array(z.string()),
    }),
  ]),
  'class kept': z.strictObject({
    kinds: z.array(keptKind),
    periods: z.strictObject({ leftDays: z.number(), contestMonths: z.number(), classMonths: z.number() }),
    due: dueData,
  }),
  'class pseudonyms': z.strictObject({ all: z.boolean(), pseudonyms: z.array(pseudonymLine) }),
  docs: z.strictObject({ folder: z.string(), pages: z.number(), files: z.number(), bytes: z.number() }),
  completion: z.strictObject({ shell: z.enum(['bash', 'zsh', 'fish']), script: z.string() }),
  doctor: z.strictObject({
    fixes: z.array(tried).optional(),
    ok: z.boolean(),
    findings: z.array(doctorFinding),
    attacks: z.array(selfTestReport).nullable(),
  }),
  worker: z.strictObject({ played: z.number() }),
}
