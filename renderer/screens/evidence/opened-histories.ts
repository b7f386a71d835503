import { SvelteMap } from 'svelte/reactivity'
import { historyPathOf } from '../../../main/contract/evidence/dossier-paths.ts'
import type { OpenedDossier } from '../../../main/contract/evidence/dossier-procedures.ts'
import type { EvidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'
import { links } from '../../navigation/links.ts'

/** The opened files of histories in dossiers that this window has opened, by the heads of their chains. */
const histories = new SvelteMap<string, string>()

/** Remembers the histories of a dossier, as far as they are intact: exhibits of a case that was opened as a file can then be looked at. */
export function rememberHistories(opened: OpenedDossier): OpenedDossier {
  const { report, files } = opened
  const intact = new Set(report.histories.flatMap(({ path, verdict }) => (verdict === 'not-genuine' ? [] : path)))
  for (const item of report.dossier?.items ?? []) {
    if (!('reference' in item)) continue
    const { contest, match, head } = item.reference
    const path = historyPathOf(contest, match)
    const handle = files[path]
    const holds = report.items.find(({ id }) => id === item.id)?.problem === null
    if (handle !== undefined && intact.has(path) && holds) histories.set(head, handle)
  }
  return opened
}

/** The address of an event in the history of a dossier that is open; undefined: none has its match. */
export function openedEvent({ head, move }: EvidenceReference): string | undefined {
  const handle = histories.get(head)
  return handle === undefined ? undefined : links.historyFile(handle, move)
}
