import type { CaseAct, CaseEntry, CasePerson, SignedCaseEntry, Vote } from '../../../main/contract/cases/case-record.ts'
import { caseEntry } from '../../../main/contract/cases/case-record.ts'
import { defaultSettings, type CaseQuestion, type CaseSettings } from '../../../main/contract/cases/cases.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { caseLine, signCaseEntry } from '../../../main/histories/case-lines.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { lapseOf } from '../../../main/services/cases/ballots.ts'
import { lotOf, type CaseState } from '../../../main/services/cases/case-state.ts'
import { afterEntry } from '../../../main/services/cases/fold.ts'
import { lotCommitment } from '../../../main/services/cases/lot.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'

const BEGIN = Date.parse('2026-11-29T20:00:00.000Z')
export const caseKey = signingKey(generateKey())!
const seeds = ['1'.repeat(64), '2'.repeat(64)] as const

/** The id of a person of the case, by a number. */
export const idOf = (n: number): string => n.toString(16).padStart(16, '0')

/** A class: two of each side, some students without a part, an assistant, an educator. */
export function people(students: number): CasePerson[] {
  return [
    ...[1, 2].map((n) => ({ id: idOf(n), role: 'student' as const, side: 'filer' as const })),
    ...[3, 4].map((n) => ({ id: idOf(n), role: 'student' as const, side: 'other' as const })),
    { id: idOf(5), role: 'assistant', side: null },
    { id: idOf(6), role: 'educator', side: null },
    ...Array.from({ length: students }, (_, at) => ({ id: idOf(16 + at), role: 'student' as const, side: null })),
  ]
}
export const FILER = idOf(1)
export const OTHER = idOf(3)
export const STAFF = idOf(6)

const reference = {
  ...{ contest: 'week-1', match: 3, line: 7, move: 6, part: null },
  ...{ head: 'a'.repeat(64), hash: 'b'.repeat(64), sentence: 'Red claims a quality of 1, which Blue Ω doubts.' },
}

/** The complaint of a case. */
export function complaint(settings: Partial<CaseSettings> = {}, students = 5): Extract<CaseAct, { do: 'filed' }> {
  const text = 'A secret solution is of the promised quality.'
  return {
    ...{ do: 'filed', contest: 'week-1' },
    filer: { who: 'team', team: '1'.repeat(16), name: 'Red' },
    other: { who: 'team', team: '2'.repeat(16), name: 'Blue Ω' },
    against: { what: 'agent', name: 'blue' },
    evidence: [{ reference, note: '' }],
    rule: { source: 'rulebook', id: '5', text, sha256: sha256(text) },
    asks: [{ type: 'points', entrant: 'blue', points: -0.000_001 }],
    text: 'It broke rule 5.',
    settings: { ...defaultSettings.writing, ...settings },
    people: people(students),
    lots: [lotCommitment(seeds[0]), lotCommitment(seeds[1])],
  }
}

/** A record that grows: the rules refuse what is out of turn. */
export interface Growing {
  readonly entries: SignedCaseEntry[]
  state: CaseState
  now: number
  /** Adds an entry, one second later. Returns why it was refused; null: it stands. */
  add(by: string | null, act: CaseAct): string | null
  /** Like `add`; throws if it is refused. */
  must(by: string | null, act: CaseAct): void
  /** The deadline of the stage passes. */
  lapse(): void
  draw(): void
  /** Votes and opens the votes of the whole panel. */
  vote(choices: (member: string, question: CaseQuestion) => string): void
}

export function grow(filed = complaint(), by = FILER): Growing {
  let state: CaseState | null = null
  const entries: SignedCaseEntry[] = []
  const add: Growing['add'] = (who, act) => {
    growing.now += 1_000
    const body: CaseEntry = caseEntry.parse({
      ...{ k: 'case', case: 'case-1', n: entries.length + 1, class: caseKey.fingerprint },
      ...{ at: new Date(growing.now).toISOString(), by: who, previous: entries.at(-1)?.h ?? '', act },
    })
    const entry = signCaseEntry(body, caseKey)
    const next = afterEntry(state, entry)
    if (typeof next === 'string') return next
    state = next
    growing.state = next
    entries.push(entry)
    return null
  }
  const must: Growing['must'] = (who, act) => {
    const why = add(who, act)
    if (why !== null) throw new Error(`${act.do}: ${why}`)
  }
  const growing: Growing = {
    ...{ entries, state: null as unknown as CaseState, now: BEGIN, add, must },
    lapse() {
      const { stage, deadline } = growing.state
      growing.now = Date.parse(deadline!)
      if (stage === 'draw' || stage === 'closed') throw new Error(stage)
      must(null, lapseOf(growing.state, stage))
    },
    draw() {
      const seed = seeds[growing.state.instance - 1]!
      const { panel, filled } = lotOf(growing.state, seed)
      must(null, { do: 'drawn', seed, panel: [...panel], filled: [...filled] })
    },
    vote(choices) {
      const votes = growing.state.panel.flatMap((member) =>
        (['broken', 'penalty'] as const).map((question) =>
          voteOf(growing.state, member, question, choices(member, question)),
        ),
      )
      for (const vote of votes)
        must(vote.voter, { do: 'voted', question: vote.question, commitment: commitmentOf(vote) })
      for (const vote of votes) must(vote.voter, opening(vote))
    },
  }
  must(by, filed)
  return growing
}

/** A vote of the present ballot. */
export function voteOf(state: CaseState, voter: string, question: CaseQuestion, choice: string): Vote {
  const ballot = state.ballots.at(-1)!.number
  const nonce = sha256(`${voter} ${question} ${ballot}`)
  return { case: state.id, question, choice, reason: `Line 7 says so: "${voter}" Ω\u2028`, voter, ballot, nonce }
}

export function opening({ question, choice, reason, nonce }: Vote): Extract<CaseAct, { do: 'opened' }> {
  return { do: 'opened', question, choice, reason, nonce, fits: true }
}

/** A case up to its hearing. */
export function heard(settings: Partial<CaseSettings> = {}, students = 5): Growing {
  const growing = grow(complaint(settings, students))
  growing.must(STAFF, {
    do: 'admitted',
    reason: 'It is for the class to decide.',
    penalties: [[], growing.state.filed.asks],
  })
  growing.must(OTHER, { do: 'answered', text: 'We did not.', evidence: [], salt: '3'.repeat(64) })
  growing.must(FILER, { do: 'refused', person: null, salt: '4'.repeat(64) })
  growing.must(OTHER, { do: 'refused', person: idOf(16), salt: null })
  growing.must(STAFF, { do: 'ended', stage: 'answer' })
  growing.draw()
  return growing
}

/** A case with a first ruling, up to the lot of its appeal. */
export function appealedCase(choices: Parameters<Growing['vote']>[0], students = 5): Growing {
  const growing = heard({ panel: 3 }, students)
  growing.lapse()
  growing.vote(choices)
  growing.lapse()
  growing.must(OTHER, { do: 'appealed', text: 'Again.', salt: null })
  growing.lapse()
  return growing
}

/** An appeal whose panel is empty: all who could judge have left. `choice`: of the first panel. */
export function unjudgedAppeal(choice: string): Growing {
  const growing = appealedCase((_, question) => (question === 'broken' ? choice : '1'))
  for (const { id, side } of growing.state.people.values())
    if (side === null) growing.must(null, { do: 'left', person: id })
  growing.draw()
  return growing
}

/** A whole case: upheld, appealed, and rejected by the panel of the appeal. */
export function wholeCase(): Growing {
  const growing = heard({ panel: 3 })
  const { must } = growing
  const [first = ''] = growing.state.panel
  for (const days of [1, 2]) {
    const to = new Date(Date.parse(growing.state.deadline!) + days * 86_400_000).toISOString()
    must(STAFF, { do: 'deadline', to, reason: 'A holiday.' })
  }
  must(STAFF, { do: 'undone', n: growing.entries.length })
  must(first, { do: 'asked', to: 'both', text: 'Which line?' })
  const question = growing.entries.length
  must(OTHER, { do: 'replied', to: question, text: 'None.' })
  must(FILER, { do: 'replied', to: question, text: 'Line 7.' })
  must(growing.state.chair, { do: 'ended', stage: 'hearing' })
  growing.vote((member, asked) => (asked === 'broken' ? (member === first ? 'no' : 'yes') : '1'))
  must(growing.state.chair, { do: 'ruled', broken: true, penalty: 1, text: 'Two of three say so.' })
  must(OTHER, { do: 'appealed', text: 'Line 8 was not read.', salt: null })
  growing.lapse()
  growing.draw()
  growing.lapse()
  growing.vote((_, asked) => (asked === 'broken' ? 'no' : 'abstain'))
  must(growing.state.chair, { do: 'ruled', broken: false, penalty: 0, text: 'It was not broken.' })
  return growing
}

/** The lines without their line breaks. */
export const linesOf = (entries: readonly SignedCaseEntry[]): string[] =>
  entries.map((each) => caseLine(each).trimEnd())
