import type { CaseId } from '../../contract/cases/cases.ts'
import type { DossierDetail, RerunOffer } from '../../contract/evidence/dossier-procedures.ts'
import { readerGroups, type DossierReaders, type KeptDossier } from '../../contract/evidence/dossiers.ts'
import type { EvidenceReference } from '../../contract/evidence/evidence-reference.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { checkSharing, isOfCase } from '../../services/cases/case-view.ts'
import { caseNumbered, unknownCase } from '../../services/cases/class-cases.ts'
import { dossierDetail, dossiersFor, itemOf, ownerFor, ownerName } from '../../services/evidence/class-dossiers.ts'
import { matchOfItem } from '../../services/evidence/dossier-folder.ts'
import { keptEvent, keptRule, keptVerdict, requireHead } from '../../services/evidence/kept-evidence.ts'
import { openedDossier } from '../../services/evidence/opened-dossier.ts'
import { knownSigners } from '../../services/histories/known-signers.ts'
import { rerunOffer } from '../../services/evidence/reruns.ts'
import { rulesOf } from '../../services/evidence/rule-texts.ts'
import { dossierWriter } from '../../services/evidence/write-dossier.ts'
import type { Rooms } from '../rooms.ts'
import { waitingAs } from './case-evidence.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of dossiers. */
export function dossierHandlers({
  home,
  dossiers,
  matches,
  cases,
  views,
  plays,
  reruns,
  downloads,
  clock,
}: Rooms): HandlersOf<'dossiers'> {
  const write = dossierWriter(matches, home.key)
  const shown = (dossier: KeptDossier, caller: Caller): DossierDetail => dossierDetail(dossier, home.content, caller)
  return {
    'dossiers.list': async (_, caller) =>
      dossiersFor(dossiers, (id, of) => isOfCase(cases, id, of), home.content, caller),
    'dossiers.get': async ({ dossier }, caller) => shown(dossiers.get(dossier), caller),
    'dossiers.make': async ({ title }, caller) => ({ dossier: (await dossiers.make(ownerFor(caller), title)).id }),
    'dossiers.rename': async ({ dossier, title }, caller) =>
      shown(await dossiers.change(dossier, { title: title.trim() }), caller),
    async 'dossiers.share'({ dossier, readers }, caller) {
      if (!isGroup(readers)) requireCase({ cases, views }, readers, caller)
      return shown(await dossiers.change(dossier, { readers }), caller)
    },
    async 'dossiers.remove'({ dossier }) {
      await dossiers.remove(dossier)
      return null
    },
    'dossiers.keep': async ({ dossier, ...place }, caller) =>
      shown(await dossiers.add(dossier, await keptEvent(matches, place, waitingAs(caller))), caller),
    async 'dossiers.note'({ dossier, item, text }, caller) {
      if (item !== null) return shown(await dossiers.edit(dossier, (items) => items.map(withNote(item, text))), caller)
      if (text.trim() === '') throw new ExpectedError('usage', 'input-invalid', 'A note needs a text.')
      return shown(await dossiers.add(dossier, { kind: 'note', text }), caller)
    },
    async 'dossiers.drop'({ dossier, item }, caller) {
      itemOf(dossiers.get(dossier), item)
      return shown(await dossiers.edit(dossier, (items) => items.filter(({ id }) => id !== item)), caller)
    },
    async 'dossiers.verify'({ dossier, item }, caller) {
      const match = matchOfItem(itemOf(dossiers.get(dossier), item))
      if (match === null)
        throw new ExpectedError('usage', 'dossier-item-unknown', 'Only what is about a match can be verified.')
      const found = await matches.verifications.run({ from: 'contest', contest: match.contest, match: match.match })
      if (found.ok) await requireHead(matches, match)
      return shown(await dossiers.add(dossier, keptVerdict(match, found)), caller)
    },
    'dossiers.rerunOffer': async ({ dossier, item }, caller) =>
      rerunOffer(matches, eventIn(dossiers.get(dossier), item), othersFor(plays, caller)),
    async 'dossiers.rerun'({ item, ...wish }, caller) {
      const event = eventIn(dossiers.get(wish.dossier), item)
      const offer = await rerunOffer(matches, event, othersFor(plays, caller))
      const made = await reruns.run({ ...wish, event, offer, who: waitingAs(caller), person: caller.person })
      return shown(await dossiers.add(wish.dossier, made), caller)
    },
    async 'dossiers.stopRerun'({ dossier, request }) {
      reruns.stop(dossier, request)
      return null
    },
    'dossiers.rules': ({ book }) => rulesOf(book),
    'dossiers.addRule': async ({ dossier, book, rule }, caller) =>
      shown(await dossiers.add(dossier, await keptRule(book, rule)), caller),
    'dossiers.open': ({ file }) =>
      openedDossier(matches, file, knownSigners(home.key.publicKey, home.content.settings.trustedKeys)),
    async 'dossiers.download'({ dossier }, caller) {
      const kept = dossiers.get(dossier)
      const written = new Date(clock.now()).toISOString()
      const by = ownerName(kept.owner, home.content)
      const download = await downloads.beginFile(caller, (path) =>
        write(waitingAs(caller), kept, { by, written }, path),
      )
      return { download, fileName: fileNameOf(kept) }
    },
  }
}

const isGroup = (readers: DossierReaders): boolean => (readerGroups as readonly string[]).includes(readers)

/** Throws ExpectedError `case-unknown` for a case that the caller does not see, and like `checkSharing`. */
function requireCase({ cases, views }: Pick<Rooms, 'cases' | 'views'>, id: CaseId, caller: Caller): void {
  const { contest } = caseNumbered(cases, id).state.filed
  if (!views.of(caller).seesContest(contest)) throw unknownCase(id)
  checkSharing(cases, id, caller)
}

/** The place of an event of a dossier. Throws ExpectedError `dossier-item-unknown`. */
function eventIn(kept: KeptDossier, id: string): EvidenceReference {
  const item = itemOf(kept, id)
  if (item.kind === 'event') return item.reference
  throw new ExpectedError('usage', 'dossier-item-unknown', 'Only agents in a match of an event can be asked again.')
}

/**
 * The agents that a caller may run in place of those that played: for staff those of the class; for students, for decisions, those of their
 * team and those that ship. A match with another agent would let a team try its agents on those of others.
 */
const othersFor =
  (plays: Rooms['plays'], { role, team }: Caller) =>
  async (game: GameId): Promise<RerunOffer['agents']> => {
    const offered = await plays.opponents(game, team)
    if (role !== 'student') return { decision: offered, match: offered }
    return { decision: team === null ? offered.filter(({ shipped }) => shipped) : offered, match: [] }
  }

/** Changes the words of one item. Throws ExpectedError if it has none. */
function withNote(id: string, text: string): (item: KeptDossier['items'][number]) => KeptDossier['items'][number] {
  return (item) => {
    if (item.id !== id) return item
    if (item.kind === 'event') return { ...item, note: text }
    if (item.kind === 'note' && text.trim() !== '') return { ...item, text }
    throw new ExpectedError('usage', 'input-invalid', 'A note needs a text, and only events and notes have one.')
  }
}

/** A file name from the title, in ASCII. */
function fileNameOf({ title }: KeptDossier): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${slug === '' ? 'dossier' : `dossier-${slug}`}.zip`
}
