import { stat } from 'node:fs/promises'
import type { EvidenceReference } from '../../contract/evidence/evidence-reference.ts'
import type { EventToKeep } from '../../contract/evidence/dossier-procedures.ts'
import type { EvidenceVerdict } from '../../contract/evidence/dossiers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { HistoryVerdict } from '../../contract/procedures/procedures.ts'
import { sha256 } from '../../histories/canonical.ts'
import { readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import type { NewItem } from './class-dossiers.ts'
import { tooLarge, type HistoryReader } from './dossier-files.ts'
import { copyHistoryJob, tellLinesJob } from './jobs.ts'
import { ruleOf } from './rule-texts.ts'
import { sentenceAt } from './told-lines.ts'

type Exports = Pick<Matches, 'withExport'>
type KeptEvent = NewItem & { readonly kind: 'event' }

/** An event of a match as an item. `who`: for whom; they take turns. Rejects with ExpectedError 'usage' for an unknown event. */
export async function keptEvent(matches: Exports, { move, part, ...of }: EventToKeep, who = ''): Promise<KeptEvent> {
  const [event] = await keptEvents(matches, of, [{ move, part }], who)
  return event!
}

/** Events of one match, which is read once, in the given order; see `keptEvent`. */
export async function keptEvents(
  matches: Exports,
  { contest, match }: Pick<EventToKeep, 'contest' | 'match'>,
  events: readonly Pick<EventToKeep, 'move' | 'part'>[],
  who: string,
): Promise<readonly KeptEvent[]> {
  const wanted = events.map(({ move }) => ({ move }))
  const { head, lines } = await matches.withExport(contest, match, (file) =>
    readText(tellLinesJob, { file, wanted }, who),
  )
  return events.map(({ move, part }) => {
    const line = lines.find(({ facts: { kind }, ...each }) =>
      move === null ? kind === 'outcome' : kind !== 'outcome' && each.move === move,
    )
    const sentence = line === undefined ? null : sentenceAt(line, part)
    if (line === undefined || sentence === null)
      throw new ExpectedError('usage', 'move-unknown', `Match ${match} of ${contest} has no such event.`)
    const place = { contest, match, line: line.line, move: line.move, part }
    const reference: EvidenceReference = { ...place, head, hash: line.hash, sentence }
    return { kind: 'event', reference, facts: line.facts, note: '' }
  })
}

/** A rule as an item, with its text as it is now. Rejects with ExpectedError `rule-unknown`. */
export async function keptRule(book: string, rule: string): Promise<NewItem> {
  const { title, text } = await ruleOf(book, rule)
  return { kind: 'rule', book, title, text, sha256: sha256(text) }
}

/** Rejects with ExpectedError `match-unknown` if a match has been played again: a verdict on it says nothing about the kept one. */
export async function requireHead(
  matches: Exports,
  { contest, match, head }: { readonly contest: ContestId; readonly match: MatchNumber; readonly head: Sha256 },
): Promise<void> {
  const found = await matches.withExport(contest, match, (file) => readText(tellLinesJob, { file, wanted: [] }))
  if (found.head !== head) throw anotherMatch({ contest, match })
}

/** The refusal of work about a match that was played again since it was kept. */
export function anotherMatch({ contest, match }: Pick<EvidenceReference, 'contest' | 'match'>): ExpectedError {
  return new ExpectedError(
    'usage',
    'match-unknown',
    `Match ${match} of ${contest} is another one than the one in the dossier: keep the event of the new one instead.`,
  )
}

/** The verdict of a verification as an item. */
export function keptVerdict(
  match: { readonly contest: ContestId; readonly match: MatchNumber; readonly head: Sha256 },
  found: HistoryVerdict,
): NewItem {
  const { contest, match: number, head } = match
  const verdict: EvidenceVerdict = !found.ok ? 'not-genuine' : found.signer.name === null ? 'signer-unknown' : 'genuine'
  const says = found.ok ? [...found.checked, ...found.notes] : [`Line ${found.line}: ${found.message}`]
  const fingerprint = found.ok ? found.signer.fingerprint : null
  const shortened = says.slice(0, 20).map((each) => each.slice(0, 2_000).toWellFormed())
  return { kind: 'verdict', contest, match: number, head, verdict, fingerprint, says: shortened }
}

/** Copies the histories of a class for a download. `team`: for whom; teams take turns. */
export function historyReader(matches: Exports, team: string): HistoryReader {
  return async ({ contest, match, head }, most, into) => {
    try {
      return await matches.withExport(contest, match, async (file) => {
        if ((await stat(file)).size > most) throw tooLarge()
        return await readText(copyHistoryJob, { file, head, into }, team)
      })
    } catch (error) {
      const isGone = error instanceof ExpectedError && ['match-unknown', 'contest-unknown'].includes(error.code)
      if (isGone) return null
      throw error
    }
  }
}
