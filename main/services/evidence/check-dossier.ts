import { historyPathOf } from '../../contract/evidence/dossier-paths.ts'
import { dossierFile, type DossierFile, type DossierItem } from '../../contract/evidence/dossiers.ts'
import type { DossierReport } from '../../contract/evidence/dossier-report.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { GameId } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { sha256 } from '../../histories/canonical.ts'
import { bytesSource } from '../../histories/history-source.ts'
import type { PublicKey } from '../../histories/keys.ts'
import { verifyMatch, type VerifyVerdict } from '../../histories/verify.ts'
import { signerOf, type KnownSigners } from '../histories/known-signers.ts'
import { DOSSIER, MANIFEST, matchOfItem, readManifest, rulePath } from './dossier-folder.ts'
import { sentenceAt, tellLines, type ToldMatch } from './told-lines.ts'

export interface CheckOptions {
  /** The keys one of which must have signed everything. Absent: signers are looked up in `known`. */
  readonly keys?: readonly PublicKey[]
  readonly known: KnownSigners
  readonly games: (id: GameId) => ErasedGame | undefined
  /** Called after each part of the work. */
  onProgress?(): void
}

type Files = ReadonlyMap<string, Uint8Array>
type History = DossierReport['histories'][number]

/**
 * Checks the files of a dossier by their paths: the manifest with its signature and all hashes, each history like `verifyMatch`, and that
 * each item says what the histories and the texts of rules say. Never throws, whatever the files.
 */
export function checkDossier(files: Files, options: CheckOptions): DossierReport {
  const manifest = readManifest(files)
  const dossier = readDossier(files)
  const paths = [...files.keys()].filter((path) => /^histories\/.*\.jsonl$/.test(path)).sort()
  const histories = paths.map((path) => checkHistory(path, files.get(path)!, options))
  const isIntact = new Set(histories.flatMap(({ path, message }) => (message === null ? path : [])))
  const items = typeof dossier === 'string' ? [] : checkItems(dossier, files, isIntact, options)
  const signer = typeof manifest === 'string' ? null : signerOf(manifest.key, options.known)
  const wrongKey = typeof manifest !== 'string' && options.keys?.includes(manifest.key) === false
  const bad = items.findIndex((each) => each.problem !== null)
  const problem =
    (typeof manifest === 'string' ? manifest : null) ??
    (typeof dossier === 'string' ? dossier : null) ??
    (wrongKey ? `it was signed with another key, whose fingerprint is ${signer!.fingerprint}` : null) ??
    (bad === -1 ? null : `item ${bad + 1} does not hold: ${items[bad]!.problem}`)
  const listed = typeof manifest === 'string' ? null : manifest.files
  return {
    verdict: problem !== null ? 'not-genuine' : (signer?.name ?? null) === null ? 'signer-unknown' : 'genuine',
    problem,
    signer,
    dossier: typeof dossier === 'string' ? null : dossier,
    ...{ histories, items },
    others:
      listed === null ? [] : [...files.keys()].filter((path) => path !== MANIFEST && !Object.hasOwn(listed, path)),
  }
}

/** The dossier, or why it cannot be read, as a clause. */
function readDossier(files: Files): DossierFile | string {
  const bytes = files.get(DOSSIER)
  if (bytes === undefined) return `${DOSSIER} is missing`
  try {
    const read = readJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), dossierFile)
    return read.ok ? read.value : `${DOSSIER} cannot be read: ${read.message}`
  } catch {
    return `${DOSSIER} is not UTF-8 text`
  }
}

function checkHistory(
  path: string,
  bytes: Uint8Array,
  { keys, known, games, onProgress = () => undefined }: CheckOptions,
): History {
  const verdict = verifyMatch(bytes, { games, onProgress, ...(keys === undefined ? {} : { keys }) })
  const message = historyFault(path, verdict)
  if (!verdict.ok || message !== null)
    return { path, verdict: 'not-genuine', message, fingerprint: null, replayed: false }
  const { name, fingerprint } = signerOf(verdict.match.key, known)
  const { replayed } = verdict.match
  return { path, verdict: name === null ? 'signer-unknown' : 'genuine', message, fingerprint, replayed }
}

function historyFault(path: string, verdict: VerifyVerdict): string | null {
  if (!verdict.ok) return `line ${verdict.line}: ${verdict.message}`
  const { contest, match } = verdict.match
  return path === historyPathOf(contest, match) ? null : 'it lies under the name of another match'
}

function checkItems(
  { items }: DossierFile,
  files: Files,
  intact: ReadonlySet<string>,
  { games, onProgress }: CheckOptions,
): DossierReport['items'] {
  const told = new Map<string, ToldMatch | string>()
  const match = (path: string): ToldMatch | string => {
    const known = told.get(path)
    if (known !== undefined) return known
    const lines = items.flatMap((each) =>
      'reference' in each && historyPathOf(each.reference.contest, each.reference.match) === path
        ? { line: each.reference.line }
        : [],
    )
    const found = tellLines(bytesSource(files.get(path)!), lines, games, onProgress)
    told.set(path, found)
    return found
  }
  return items.map((item) => {
    const place = matchOfItem(item)
    if (place === null) return { id: item.id, problem: ruleFault(item, files), told: null }
    const path = historyPathOf(place.contest, place.match)
    if (!intact.has(path)) return { id: item.id, problem: 'its history is missing, or not genuine', told: null }
    const found = match(path)
    if (typeof found === 'string' || found.head !== place.head)
      return { id: item.id, problem: 'its history is another one', told: null }
    if (!('reference' in item)) return { id: item.id, problem: null, told: null }
    const checked = checkEvent(item, found)
    if (item.kind === 'event' || checked.problem !== null) return checked
    return { ...checked, problem: agentFault(item, found) }
  })
}

function ruleFault(item: DossierItem, files: Files): string | null {
  if (item.kind !== 'rule') return null
  const text = files.get(rulePath(item.sha256))
  if (text === undefined) return 'the text of the rule is missing'
  return sha256(text) === item.sha256 && sha256(item.text) === item.sha256 ? null : 'the text of the rule was changed'
}

/** Why the match does not have the agent in a seat that an item says played there. */
function agentFault(
  { seat, agent, isPinned }: DossierItem & { readonly kind: 'asked-again' | 'played-again' },
  { agents }: ToldMatch,
): string | null {
  const played = agents[seat]
  if (played === undefined) return 'the match has no such seat'
  if (isPinned === (played === agent)) return null
  return isPinned ? 'another version played the seat' : 'this version did play the seat'
}

function checkEvent(
  { id, reference, facts }: Extract<DossierItem, { readonly reference: unknown }>,
  { lines }: ToldMatch,
): DossierReport['items'][number] {
  const line = lines.find((each) => each.line === reference.line)
  if (line?.hash !== reference.hash) return { id, problem: 'the history has no such line', told: null }
  const isSame =
    reference.move === line.move &&
    facts.kind === line.facts.kind &&
    facts.at === line.facts.at &&
    line.facts.record.startsWith(facts.record) &&
    facts.players.join('\n') === line.facts.players.join('\n')
  if (!isSame) return { id, problem: 'the line says something else than the dossier', told: null }
  // Another version of the program may word it otherwise, or in fewer sentences.
  const sentence = sentenceAt(line, reference.part) ?? sentenceAt(line, null)
  return { id, problem: null, told: sentence === reference.sentence ? null : sentence }
}
