import type { Caller } from '../../contract/people/caller.ts'
import { termAt } from '../../contract/people/terms.ts'
import { requireTeam } from '../../services/people/teams.ts'
import {
  actInCase,
  actOnceCompared,
  caseNumbered,
  complaintsLeft,
  fileCase,
  headOfCase,
  unknownCase,
  type CaseActor,
} from '../../services/cases/class-cases.ts'
import type { KeptCase } from '../../services/cases/kept-case.ts'
import { listCases, precedentsIn, shownEntries, viewCase } from '../../services/cases/case-view.ts'
import { openedCase } from '../../services/cases/opened-record.ts'
import { knownSigners } from '../../services/histories/known-signers.ts'
import { recordText, transcript } from '../../services/cases/transcript.ts'
import type { Rooms } from '../rooms.ts'
import { checkBrought, checkClaim, isCompared, waitingAs } from './case-evidence.ts'
import type { HandlersOf } from './handlers-of.ts'

const actorOf = ({ person, role, isSeen }: Caller): CaseActor => ({ person, role, isSeen })

/** The procedures of hearings. */
export function caseHandlers({ cases, caseRulings, home, views, matches, contests }: Rooms): HandlersOf<'cases'> {
  /** A case of a contest that the caller does not see is answered like one that does not exist. */
  const seen = (id: string, caller: Caller): KeptCase => {
    const kept = caseNumbered(cases, id)
    if (!views.of(caller).seesContest(kept.state.filed.contest)) throw unknownCase(id)
    return kept
  }
  return {
    'cases.list': async (wish, caller) => listCases(cases, actorOf(caller), views.of(caller).seesContest, wish),
    'cases.get': async ({ case: id }, caller) => ({
      ...viewCase(cases, seen(id, caller), actorOf(caller)),
      uncounted: caseRulings.problem(id, caller.role),
    }),
    'cases.tokens': async (_, { role, person }) => ({
      left: role === 'student' ? complaintsLeft(cases, requireTeam(home.content, person).id, person) : null,
      term: termAt(home.content.settings.terms, new Date(cases.now()).toISOString())?.name ?? null,
    }),
    'cases.precedents': async ({ book }, caller) => {
      const { seesContest } = views.of(caller)
      const isOfBook = (contest: string): boolean => contests.entry(contest).description.game === book
      return precedentsIn(cases, book, (contest) => seesContest(contest) && (book === 'security' || isOfBook(contest)))
    },
    async 'cases.file'(wish, caller) {
      await checkClaim({ matches, contests }, wish, waitingAs(caller))
      const kept = fileCase(cases, actorOf(caller), wish)
      return { ...headOfCase(kept), case: kept.id }
    },
    async 'cases.act'({ case: id, act }, caller) {
      const { contest } = seen(id, caller).state.filed
      if (!isCompared(act)) return actInCase(cases, id, actorOf(caller), act)
      return actOnceCompared(cases, id, actorOf(caller), act, () =>
        checkBrought({ matches, contests }, contest, act, waitingAs(caller)),
      )
    },
    'cases.open': ({ file }) =>
      openedCase(matches, file, knownSigners(home.key.publicKey, home.content.settings.trustedKeys)),
    async 'cases.export'({ case: id, form }, caller) {
      const kept = seen(id, caller)
      const shown = { ...kept, entries: shownEntries(kept) }
      return form === 'record'
        ? { fileName: `${id}.jsonl`, content: recordText(shown) }
        : { fileName: `${id}.html`, content: transcript(shown) }
    },
  }
}
