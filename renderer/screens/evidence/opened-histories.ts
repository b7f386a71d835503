import { SvelteMap } from 'svelte/reactivity'
import { historyPathOf } from '../../../main/contract/evidence/dossier-paths.ts'
import type { OpenedDossier } from '../../../main/contract/evidence/dossier-procedures.ts'
import type { EvidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'

/** The opened files of histories in dossiers that this window has opened, by the heads of their chains. */
const histories = new SvelteMap<string, string>()

/** The opened dossiers in which opened histories lie. */
const dossiers = new Map<string, string>()

/**
 * Remembers the histories of a dossier that was opened as `file`. As far as they are intact, exhibits of a case that was opened as a file
 * can then be looked at.
 */
export function rememberHistories(file: string, opened: OpenedDossier): OpenedDossier {
  const { report, files } = opened
  for (const handle of Object.values(files)) dossiers.set(handle, file)
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

/** The opened dossier in which an opened history lies; undefined: in none. */
export function dossierOf(history: string): string | undefined {
  return dossiers.get(history)
}

/** The opened file with the history of an event, from a dossier that is open; undefined: none has its match. */
export function openedHistory({ head }: EvidenceReference): string | undefined {
  return histories.get(head)
}
