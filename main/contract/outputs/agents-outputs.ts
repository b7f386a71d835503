import * as z from 'zod'
import { entryStatement } from '../contests/entries.ts'
import { anyJson, entrySchool } from './output-parts.ts'
import { kitNames } from '../players/kits.ts'

const sourceFile = z.strictObject({ path: z.string(), bytes: z.number(), shown: z.boolean() })

const similarPair = z.strictObject({
  names: z.tuple([z.string(), z.string()]),
  earlier: z.string().optional(),
  share: z.number(),
  same: z.boolean(),
})

const similarAgent = z.strictObject({ name: z.string(), share: z.number() })

const seatReport = z.strictObject({
  seat: z.number(),
  agent: z.string(),
  rank: z.number(),
  score: z.number(),
  removed: z.boolean(),
  reason: z.string().optional(),
  faults: z.array(
    z.strictObject({
      text: z.string(),
      kind: z.enum(['isolation', 'crash', 'timeout', 'stall', 'memory', 'invalid', 'protocol', 'host']),
    }),
  ),
  console: z.array(z.string()),
})

const componentSummary = z.strictObject({
  usedBy: z.array(z.string()),
  name: z.string(),
  hash: z.string(),
  ending: z.enum(['js', 'ts']),
  author: z.string(),
  description: z.string(),
  published: z.string(),
  bytes: z.number(),
  exports: z.array(z.string()),
  uses: z.array(z.strictObject({ name: z.string(), hash: z.string() })),
  owner: z.string().optional(),
  withdrawn: z.string().optional(),
})

const componentDetail = z.strictObject({
  text: z.string(),
  usedBy: z.array(z.string()),
  name: z.string(),
  hash: z.string(),
  ending: z.enum(['js', 'ts']),
  author: z.string(),
  description: z.string(),
  published: z.string(),
  bytes: z.number(),
  exports: z.array(z.string()),
  uses: z.array(z.strictObject({ name: z.string(), hash: z.string() })),
  owner: z.string().optional(),
  withdrawn: z.string().optional(),
})

const entryStanding = z.enum(['agent', 'same', 'version', 'older'])

const kit = z.strictObject({
  out: z.string(),
  files: z.number(),
  bytes: z.number(),
  game: z.string(),
  kit: z.enum(kitNames),
})

const matchReport = z.strictObject({
  game: z.string(),
  seed: z.string(),
  isolation: z.enum(['bubblewrap', 'shared', 'permission', 'none']),
  seats: z.array(seatReport),
  file: z.string().nullable(),
})

const agentReply = z.union([z.strictObject({ answer: anyJson }), z.strictObject({ fault: z.string() })])

const replayReport = z.strictObject({
  seat: z.number(),
  until: z.number(),
  differs: z.number().nullable(),
  recorded: anyJson,
  answered: agentReply,
  console: z.array(z.string()),
  file: z.string().nullable(),
})

const triedOpponent = z.strictObject({
  opponent: z.string(),
  matches: z.number(),
  won: z.number(),
  tied: z.number(),
  lost: z.number(),
  share: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  faults: z.number(),
  removals: z.number(),
})

const triedAgent = z.strictObject({
  file: z.string(),
  game: z.string(),
  seed: z.string(),
  opponents: z.array(triedOpponent),
})

const agentVerdict = z.strictObject({
  file: z.string(),
  ok: z.boolean(),
  text: z.string(),
  packages: z.array(z.string()),
  agent: seatReport,
})

const submitted = z.strictObject({
  trial: z.strictObject({
    state: z.enum(['void', 'unknown', 'failed', 'passed']),
    text: z.string(),
    link: z.string().nullable(),
  }),
  class: z.string(),
  name: z.string(),
  contest: z.string().nullable(),
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  agent: z.string(),
  version: z.number(),
  attempt: z.number(),
  receipt: z.strictObject({
    n: z.number(),
    head: z.string(),
    received: z.string(),
    time: z.enum(['kept', 'on-time', 'late']),
    file: z.string().nullable(),
  }),
  time: z.string().nullable(),
  note: z.string().nullable(),
  link: z.string(),
})

/** The outputs of verbs about agents, with --json. */
export const agentsOutputs = {
  update: z.strictObject({
    folder: z.string(),
    written: z.array(z.string()),
    kept: z.array(z.string()),
    conflicts: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  'agent reveal': z.strictObject({
    data: z.string(),
    revealAfter: z.number(),
    versions: z.array(z.strictObject({ after: z.number(), contests: z.number(), name: z.string(), agent: z.string() })),
  }),
  'agent source': z.union([
    z.strictObject({
      out: z.string(),
      files: z.array(sourceFile),
      remark: z.string().nullable(),
      name: z.string(),
      game: z.string(),
      kind: z.enum(['script', 'program', 'network', 'human', 'web']),
      agent: z.string(),
      team: z.string(),
      after: z.number(),
      contests: z.number(),
    }),
    z.strictObject({
      texts: z.array(z.strictObject({ text: z.string(), path: z.string() })),
      files: z.array(sourceFile),
      remark: z.string().nullable(),
      name: z.string(),
      game: z.string(),
      kind: z.enum(['script', 'program', 'network', 'human', 'web']),
      agent: z.string(),
      team: z.string(),
      after: z.number(),
      contests: z.number(),
    }),
  ]),
  'agent similar': z.strictObject({ data: z.string(), pairs: z.array(similarPair) }),
  'agent check': z.strictObject({
    similar: z.array(similarAgent),
    file: z.string(),
    ok: z.boolean(),
    text: z.string(),
    packages: z.array(z.string()),
    agent: seatReport,
  }),
  'agent addresses': z.strictObject({ data: z.string(), addresses: z.array(z.string()) }),
  'agent connect': z.strictObject({ url: z.string(), matches: z.number() }),
  'component publish': componentSummary,
  'component list': z.strictObject({ data: z.string(), components: z.array(componentSummary) }),
  'component show': componentDetail,
  'component withdraw': z.strictObject({
    name: z.string(),
    hash: z.string(),
    usedBy: z.array(z.string()),
    withdrawn: z.string().nullable(),
  }),
  'entries export': z.strictObject({
    school: z.string(),
    fingerprint: z.string(),
    entries: z.array(entryStatement),
    file: z.string(),
  }),
  'entries show': z.strictObject({
    school: entrySchool,
    key: z.string(),
    entries: z.array(entryStatement),
    file: z.string(),
  }),
  'entries import': z.strictObject({
    school: entrySchool,
    key: z.string(),
    entries: z.array(
      z.strictObject({
        statement: entryStatement,
        name: z.string(),
        standing: entryStanding,
      }),
    ),
    file: z.string(),
  }),
  kit: kit,
  'match play': matchReport,
  'match replay': replayReport,
  run: matchReport,
  test: z.strictObject({ folder: z.string(), command: z.string(), ok: z.boolean() }),
  debug: z.union([replayReport, z.strictObject({ case: z.string(), ok: z.boolean() })]),
  try: triedAgent,
  pack: z.strictObject({
    file: z.string(),
    name: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    files: z.array(z.string()),
    leftOut: z.array(z.string()),
    verdict: agentVerdict,
  }),
  submit: submitted,
}
