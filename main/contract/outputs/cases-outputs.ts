import * as z from 'zod'
import { stage } from './output-parts.ts'

const listedCase = z.union([
  z.strictObject({
    case: z.string(),
    problem: z.null(),
    contest: z.string(),
    filer: z.string(),
    other: z.string(),
    rule: z.string(),
    stage: stage,
    deadline: z.string().nullable(),
    outcome: z.enum(['withdrawn', 'open', 'dismissed', 'upheld', 'rejected', 'unheard']),
  }),
  z.strictObject({ case: z.string(), problem: z.string() }),
])

const caseRuling = z.strictObject({
  instance: z.union([z.literal(1), z.literal(2)]),
  n: z.number(),
  at: z.string(),
  broken: z.boolean(),
  penalty: z.array(
    z.union([
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('warning'), entrant: z.string() }),
      z.strictObject({ type: z.literal('points'), entrant: z.string(), points: z.number() }),
      z.strictObject({ type: z.literal('energy'), entrant: z.string(), match: z.number(), energy: z.number() }),
      z.strictObject({ type: z.literal('annul'), match: z.number(), playAgain: z.boolean() }),
      z.strictObject({
        type: z.literal('forfeit'),
        entrant: z.string(),
        matches: z.union([z.array(z.number()), z.literal('all')]),
      }),
      z.strictObject({ type: z.literal('removal'), entrant: z.string() }),
      z.strictObject({ type: z.literal('award'), entrant: z.string(), amount: z.number() }),
    ]),
  ),
  text: z.string().nullable(),
})

const caseVerdict = z.union([
  z.strictObject({
    file: z.string(),
    ok: z.literal(true),
    case: z.string(),
    entries: z.number(),
    head: z.string(),
    stage: stage,
    outcome: z.enum(['withdrawn', 'open', 'dismissed', 'upheld', 'rejected', 'unheard']),
    signer: z.strictObject({ name: z.string().nullable(), fingerprint: z.string() }),
  }),
  z.strictObject({ file: z.string(), ok: z.literal(false), line: z.number(), message: z.string() }),
])

const receiptVerdict = z.union([
  z.strictObject({
    verdict: z.enum(['genuine', 'signer-unknown']),
    file: z.string(),
    receipts: z.number(),
    receipt: z.strictObject({
      k: z.literal('receipt'),
      n: z.number(),
      class: z.string(),
      team: z.string(),
      agent: z.string(),
      version: z.number(),
      sha256: z.string(),
      received: z.string(),
      at: z.string(),
      contest: z.string().nullable(),
      time: z.enum(['kept', 'on-time', 'late']),
      previous: z.string(),
    }),
    head: z.string(),
    signer: z.string().nullable(),
  }),
  z.strictObject({ verdict: z.literal('not-genuine'), file: z.string(), line: z.number(), message: z.string() }),
  z.strictObject({ verdict: z.literal('unreadable'), file: z.string(), code: z.string(), message: z.string() }),
])

/** The outputs of verbs about cases, with --json. */
export const casesOutputs = {
  'case list': z.strictObject({ cases: z.array(listedCase) }),
  'case show': z.strictObject({
    case: z.string(),
    stage: stage,
    deadline: z.string().nullable(),
    outcome: z.enum(['withdrawn', 'open', 'dismissed', 'upheld', 'rejected', 'unheard']),
    panel: z.array(z.string()),
    chair: z.string().nullable(),
    rulings: z.array(caseRuling),
    entries: z.array(
      z.strictObject({
        n: z.number(),
        at: z.string(),
        by: z.string().nullable(),
        act: z.union([
          z.strictObject({
            do: z.literal('filed'),
            contest: z.string(),
            filer: z.union([
              z.strictObject({ who: z.literal('team'), team: z.string(), name: z.string() }),
              z.strictObject({ who: z.literal('educator') }),
            ]),
            other: z.union([
              z.strictObject({ who: z.literal('team'), team: z.string(), name: z.string() }),
              z.strictObject({ who: z.literal('educator') }),
            ]),
            against: z.union([
              z.strictObject({ what: z.literal('agent'), name: z.string() }),
              z.strictObject({ what: z.literal('ruling'), case: z.string() }),
              z.strictObject({ what: z.literal('administrator') }),
            ]),
            evidence: z.array(
              z.strictObject({
                reference: z.strictObject({
                  head: z.string(),
                  hash: z.string(),
                  sentence: z.string(),
                  contest: z.string(),
                  match: z.number(),
                  line: z.number(),
                  move: z.number(),
                  part: z.number().nullable(),
                }),
                note: z.string(),
              }),
            ),
            rule: z.strictObject({
              source: z.enum(['rulebook', 'security-policy']),
              id: z.string(),
              text: z.string(),
              sha256: z.string(),
            }),
            asks: z.array(
              z.union([
                z.strictObject({ type: z.literal('none') }),
                z.strictObject({ type: z.literal('warning'), entrant: z.string() }),
                z.strictObject({ type: z.literal('points'), entrant: z.string(), points: z.number() }),
                z.strictObject({
                  type: z.literal('energy'),
                  entrant: z.string(),
                  match: z.number(),
                  energy: z.number(),
                }),
                z.strictObject({ type: z.literal('annul'), match: z.number(), playAgain: z.boolean() }),
                z.strictObject({
                  type: z.literal('forfeit'),
                  entrant: z.string(),
                  matches: z.union([z.array(z.number()), z.literal('all')]),
                }),
                z.strictObject({ type: z.literal('removal'), entrant: z.string() }),
                z.strictObject({ type: z.literal('award'), entrant: z.string(), amount: z.number() }),
              ]),
            ),
            text: z.string(),
            settings: z.strictObject({
              mode: z.enum(['live', 'writing']),
              times: z.strictObject({
                filed: z.number(),
                answer: z.number(),
                election: z.number(),
                hearing: z.number(),
                voting: z.number(),
                opening: z.number(),
                ruling: z.number(),
                appeal: z.number(),
              }),
              panel: z.union([z.literal(3), z.literal(5), z.literal(7), z.literal('all')]),
              volunteersFirst: z.boolean(),
              chair: z.enum(['drawn', 'elected']),
              quorum: z.number(),
              majority: z.enum(['half', 'two-thirds']),
              castingVote: z.boolean(),
              hideNames: z.boolean(),
            }),
            people: z.array(
              z.strictObject({
                id: z.string(),
                role: z.enum(['educator', 'assistant', 'student']),
                side: z.enum(['other', 'filer']).nullable(),
              }),
            ),
            lots: z.tuple([z.string(), z.string()]),
          }),
          z.strictObject({
            do: z.literal('admitted'),
            reason: z.string(),
            penalties: z.array(
              z.array(
                z.union([
                  z.strictObject({ type: z.literal('none') }),
                  z.strictObject({ type: z.literal('warning'), entrant: z.string() }),
                  z.strictObject({ type: z.literal('points'), entrant: z.string(), points: z.number() }),
                  z.strictObject({
                    type: z.literal('energy'),
                    entrant: z.string(),
                    match: z.number(),
                    energy: z.number(),
                  }),
                  z.strictObject({ type: z.literal('annul'), match: z.number(), playAgain: z.boolean() }),
                  z.strictObject({
                    type: z.literal('forfeit'),
                    entrant: z.string(),
                    matches: z.union([z.array(z.number()), z.literal('all')]),
                  }),
                  z.strictObject({ type: z.literal('removal'), entrant: z.string() }),
                  z.strictObject({ type: z.literal('award'), entrant: z.string(), amount: z.number() }),
                ]),
              ),
            ),
            settings: z
              .strictObject({
                mode: z.enum(['live', 'writing']),
                times: z.strictObject({
                  filed: z.number(),
                  answer: z.number(),
                  election: z.number(),
                  hearing: z.number(),
                  voting: z.number(),
                  opening: z.number(),
                  ruling: z.number(),
                  appeal: z.number(),
                }),
                panel: z.union([z.literal(3), z.literal(5), z.literal(7), z.literal('all')]),
                volunteersFirst: z.boolean(),
                chair: z.enum(['drawn', 'elected']),
                quorum: z.number(),
                majority: z.enum(['half', 'two-thirds']),
                castingVote: z.boolean(),
                hideNames: z.boolean(),
              })
              .optional(),
          }),
          z.strictObject({ do: z.literal('dismissed'), reason: z.string() }),
          z.strictObject({
            do: z.literal('answered'),
            text: z.string(),
            evidence: z.array(
              z.strictObject({
                reference: z.strictObject({
                  head: z.string(),
                  hash: z.string(),
                  sentence: z.string(),
                  contest: z.string(),
                  match: z.number(),
                  line: z.number(),
                  move: z.number(),
                  part: z.number().nullable(),
                }),
                note: z.string(),
              }),
            ),
            salt: z.string().nullable(),
          }),
          z.strictObject({ do: z.literal('volunteered'), salt: z.string().nullable() }),
          z.strictObject({ do: z.literal('conflict'), reason: z.string() }),
          z.strictObject({ do: z.literal('elected'), chair: z.string() }),
          z.strictObject({ do: z.literal('asked'), to: z.enum(['other', 'filer', 'both']), text: z.string() }),
          z.strictObject({ do: z.literal('replied'), to: z.number().nullable(), text: z.string() }),
          z.strictObject({
            do: z.literal('exhibited'),
            exhibit: z.strictObject({
              reference: z.strictObject({
                head: z.string(),
                hash: z.string(),
                sentence: z.string(),
                contest: z.string(),
                match: z.number(),
                line: z.number(),
                move: z.number(),
                part: z.number().nullable(),
              }),
              note: z.string(),
            }),
          }),
          z.strictObject({ do: z.literal('ended'), stage: z.enum(['answer', 'election', 'hearing']) }),
          z.strictObject({ do: z.literal('voted'), question: z.enum(['broken', 'penalty']), commitment: z.string() }),
          z.strictObject({ do: z.literal('deadline'), to: z.string(), reason: z.string() }),
          z.strictObject({ do: z.literal('ruled'), broken: z.boolean(), penalty: z.number(), text: z.string() }),
          z.strictObject({ do: z.literal('appealed'), text: z.string(), salt: z.string().nullable() }),
          z.strictObject({ do: z.literal('withdrawn'), reason: z.string() }),
          z.strictObject({ do: z.literal('undone'), n: z.number() }),
          z.strictObject({
            fits: z.boolean(),
            reason: z.string(),
            nonce: z.string(),
            do: z.literal('opened'),
            question: z.enum(['broken', 'penalty']),
            choice: z.string(),
          }),
          z.strictObject({ do: z.literal('refused'), person: z.string().nullable(), salt: z.string().nullable() }),
          z.strictObject({
            do: z.literal('drawn'),
            seed: z.string(),
            panel: z.array(z.string()),
            filled: z.array(z.string()),
          }),
          z.strictObject({
            do: z.literal('lapsed'),
            stage: z.enum(['ruling', 'filed', 'answer', 'election', 'hearing', 'voting', 'opening', 'appeal']),
            unopened: z.array(z.string()).optional(),
          }),
          z.strictObject({ do: z.literal('left'), person: z.string() }),
          z.strictObject({
            do: z.literal('barred'),
            person: z.string(),
            because: z.enum(['joined', 'ruling', 'former']),
          }),
          z.strictObject({ do: z.literal('clock'), ahead: z.number() }),
        ]),
        head: z.string(),
      }),
    ),
  }),
  'case verify': caseVerdict,
  'case export': z.strictObject({ case: z.string(), files: z.array(z.string()) }),
  'receipt verify': z.strictObject({ ok: z.boolean(), files: z.array(receiptVerdict) }),
}
