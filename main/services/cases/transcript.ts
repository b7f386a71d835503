import type { BarReason, CaseAct } from '../../contract/cases/case-record.ts'
import { consequences, type CaseQuestion, type Party, type Pseudonym } from '../../contract/cases/cases.ts'
import { partNames } from '../../contract/cases/part-names.ts'
import { penaltyWords } from '../../contract/contests/ruling-words.ts'
import { caseLine } from '../../histories/case-lines.ts'
import { validVotes, type Ballot } from './case-state.ts'
import type { CaseRecord } from './kept-case.ts'

/** The record of a case as it is in the data folder: signed lines. */
export function recordText({ entries }: Pick<CaseRecord, 'entries'>): string {
  return entries.map((entry) => caseLine(entry)).join('')
}

/** The record of a case as a page without scripts, to read and print. People are in it by their parts, not by name. */
export function transcript(kept: CaseRecord): string {
  const { id, state, entries } = kept
  const { filed } = state
  const who = partsOf(kept)
  const rows = entries.map(({ b: { n, at, by, act }, h }) => {
    const lines = [...sentencesOf(act, who), ...notesOn(state, n, who)].map((text) => `<p>${escaped(text)}</p>`)
    return `<tr><td>${n}</td><td>${at}</td><td>${escaped(by === null ? 'The program' : who(by))}</td><td>${lines.join('')}</td><td><code>${h.slice(0, 16)}</code></td></tr>`
  })
  const head = entries.at(-1)!.h
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${id}</title><style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid #ccc; padding: .3rem .5rem; vertical-align: top }
td p { margin: 0 0 .3rem; white-space: pre-wrap; overflow-wrap: anywhere } td:nth-child(2) { white-space: nowrap }
</style></head><body>
<h1>${id}: ${escaped(partyName(filed.filer))} against ${escaped(partyName(filed.other))}</h1>
<p>Contest ${escaped(filed.contest)}. Rule ${escaped(filed.rule.id)} of the ${filed.rule.source === 'rulebook' ? 'rulebook' : 'security policy'}. Stage: ${state.stage}; result: ${state.outcome}.</p>
<table><tbody>
${rows.join('\n')}
</tbody></table>
<p>Head of the record after entry ${entries.length}: <code>${head}</code>. Check the record itself with <code>tartaglia history verify ${id}.jsonl</code>.</p>
</body></html>
`
}

/** The same in lines of text. */
export function transcriptLines(kept: CaseRecord): readonly string[] {
  const who = partsOf(kept)
  return kept.entries.flatMap(({ b: { n, at, by, act } }) =>
    [...sentencesOf(act, who), ...notesOn(kept.state, n, who)].map(
      (text) => `${n}  ${at}  ${by === null ? 'The program' : who(by)}: ${text}`,
    ),
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const partyName = (party: Party): string => (party.who === 'team' ? party.name : 'the educator')

/** The names of people by their parts; a pseudonym that is nobody's stays itself. */
function partsOf({ state: { filed } }: CaseRecord): (id: Pseudonym) => string {
  const teamOf = (party: Party): string | null => (party.who === 'team' ? party.name : null)
  const names = partNames({ people: filed.people, filer: teamOf(filed.filer), other: teamOf(filed.other) })
  return (id) => names.get(id) ?? id
}

/** A rule with its text, which begins with its name if it is from a rulebook. */
function ruleWords({ id, text }: CaseRecord['state']['filed']['rule']): string {
  return text.startsWith(id) ? `The rule: ${text}` : `Rule ${id}: ${text}`
}

/** An entry in sentences. */
function sentencesOf(act: CaseAct, who: (id: Pseudonym) => string): readonly string[] {
  const list = (ids: readonly Pseudonym[]): string => ids.map((id) => who(id)).join(', ')
  switch (act.do) {
    case 'filed':
      return [
        `Files the complaint: ${act.text}`,
        ruleWords(act.rule),
        ...act.evidence.flatMap(({ reference, note }) => evidenceWords(reference, note)),
        `Asks for: ${penaltyWords(act.asks)}.`,
      ]
    case 'admitted':
      return [`Admits the case: ${act.reason}`, `Open to the panel: ${act.penalties.map(penaltyWords).join(', or ')}.`]
    case 'dismissed':
      return [`Dismisses the case: ${act.reason}`]
    case 'answered':
      return [`Answers: ${act.text}`, ...act.evidence.flatMap(({ reference, note }) => evidenceWords(reference, note))]
    case 'volunteered':
      return ['Volunteers for the panel.']
    case 'conflict':
      return [`Declares a conflict. ${act.reason}`]
    case 'refused':
      return [act.person === null ? 'Refuses nobody.' : `Refuses ${who(act.person)}.`]
    case 'drawn':
      return [
        `Draws the panel: ${list(act.panel)}. The seed is ${act.seed}.`,
        ...(act.filled.length === 0 ? [] : [`Too few students were left, so these fill it: ${list(act.filled)}.`]),
      ]
    case 'elected':
      return [`Votes for ${who(act.chair)} as chair.`]
    case 'asked':
      return [
        `Asks ${{ filer: 'the side that filed', other: 'the other side', both: 'both sides' }[act.to]}: ${act.text}`,
      ]
    case 'replied':
      return [act.to === null ? `States: ${act.text}` : `Replies to entry ${act.to}: ${act.text}`]
    case 'exhibited':
      return evidenceWords(act.exhibit.reference, act.exhibit.note)
    case 'ended':
      return [`Ends the stage "${act.stage}".`]
    case 'voted':
      return [`Commits to a vote on "${act.question}": ${act.commitment}`]
    case 'opened':
      return [
        `Opens the vote on "${act.question}": ${act.choice}. ${act.reason}`,
        ...(act.fits ? [] : ['It does not fit its commitment, so it is void.']),
      ]
    case 'deadline':
      return [`Moves the deadline to ${act.to}: ${act.reason}`]
    case 'lapsed':
      return [
        `The deadline of the stage "${act.stage}" has passed. ${consequences[act.stage]}`,
        ...((act.unopened ?? []).length === 0
          ? []
          : [`Not opened, so present and an abstention: the votes of ${list(act.unopened ?? [])}.`]),
      ]
    case 'ruled':
      return [`Rules: the rule was ${act.broken ? '' : 'not '}broken. ${act.text}`]
    case 'appealed':
      return [`Appeals: ${act.text}`]
    case 'withdrawn':
      return [`Withdraws the case. ${act.reason}`]
    case 'undone':
      return [`Takes back entry ${act.n}.`]
    case 'left':
      return [`${who(act.person)} has left the class.`]
    case 'barred':
      return [`${who(act.person)} does not judge: ${barReasons[act.because]}.`]
    case 'clock':
      return [
        `The clock of the machine was set back. Until it shows this time again, times are ${Math.round(act.ahead / 1_000)} seconds ahead of it.`,
      ]
  }
}

const barReasons: Readonly<Record<BarReason, string>> = {
  joined: 'they are in a team of this case now',
  former: 'they were in a team of this case',
  ruling: 'they are or were in a team of the case whose ruling this case is against',
}

/** Facts about an entry that follow from the rules: it is late, or gives a ruling. */
function notesOn(state: CaseRecord['state'], n: number, who: (id: Pseudonym) => string): readonly string[] {
  const late = state.late.includes(n) ? ['Late: the time of this side in the hearing was over.'] : []
  return [...late, ...rulingSentences(state, n, who)]
}

/** The ruling that an entry gives, by the chair or by the deadline, with the counts of its votes; none if it gives no ruling. */
function rulingSentences(
  { rulings, ballots, filed, stage, began, instance: last }: CaseRecord['state'],
  n: number,
  who: (id: Pseudonym) => string,
): readonly string[] {
  const ruling = rulings.find((each) => each.n === n)
  const counts = (of: 1 | 2): readonly string[] =>
    ballots
      .filter(({ instance, tally }) => instance === of && tally !== null)
      .flatMap((ballot) => countSentences(ballot, filed.settings.quorum, who))
  if (ruling !== undefined)
    return [
      `Ruling: the rule was ${ruling.broken ? '' : 'not '}broken. Penalty: ${penaltyWords(ruling.penalty)}.`,
      ...counts(ruling.instance),
    ]
  const isUnjudged = n === began && stage === 'closed' && last === 2 && rulings.length === 1
  return isUnjudged ? ['Nobody judged the appeal: the ruling before it stays.', ...counts(2)] : []
}

/** The counts of a ballot. */
function countSentences(ballot: Ballot, quorum: number, who: (id: Pseudonym) => string): readonly string[] {
  const { number, votes, tally } = ballot
  const { present, panel, hasQuorum, casting } = tally!
  const begin = `Ballot ${number}: ${present} of ${panel} members voted`
  if (!hasQuorum) return [`${begin}, fewer than the quorum of ${quorum} percent. No vote counts.`]
  const counts = (question: CaseQuestion): string => {
    const cast = validVotes(ballot, question).map(({ choice }) => choice)
    const named = [...new Set(cast)].sort().map((choice) => `${count(cast, choice)} for "${choice}"`)
    return named.length === 0 ? 'none' : named.join(', ')
  }
  const of = (state: 'sealed' | 'void'): readonly string[] => [
    ...new Set(votes.filter((vote) => vote.state === state).map(({ voter }) => who(voter))),
  ]
  const [unopened, voided] = [of('sealed'), of('void')]
  return [
    `${begin}; the quorum is ${quorum} percent. Votes on "broken": ${counts('broken')}. Votes on "penalty", by its place from 0: ${counts('penalty')}.`,
    ...(unopened.length === 0 ? [] : [`Not opened: votes of ${unopened.join(', ')}.`]),
    ...(voided.length === 0 ? [] : [`Void: votes of ${voided.join(', ')}.`]),
    ...casting.map((question) => `The chair's vote decided "${question}".`),
  ]
}

const count = (list: readonly string[], one: string): number => list.filter((each) => each === one).length

function evidenceWords(
  {
    contest,
    match,
    line,
    hash,
    sentence,
  }: { contest: string; match: number; line: number; hash: string; sentence: string },
  note: string,
): readonly string[] {
  return [
    `Evidence, match ${match} of ${contest}, line ${line} (${hash.slice(0, 16)}): ${sentence}${note === '' ? '' : ` Note: ${note}`}`,
  ]
}
