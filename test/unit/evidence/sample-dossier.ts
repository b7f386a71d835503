import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DossierItem, KeptDossier } from '../../../main/contract/evidence/dossiers.ts'
import type { Json } from '../../../main/contract/json.ts'
import { canonicalText, sha256 } from '../../../main/histories/canonical.ts'
import { chained } from '../../../main/histories/chain.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { signingKey, generateKey, type SigningKey } from '../../../main/histories/keys.ts'
import { rootText } from '../../../main/histories/segments/seal-texts.ts'
import { merkleTree } from '../../../main/histories/merkle.ts'
import { games } from '../../../main/referees/games.ts'
import { writeDossierFiles } from '../../../main/services/evidence/dossier-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { sentenceAt, tellLines } from '../../../main/services/evidence/told-lines.ts'

/** An exported match, signed again with another key: the only one under its root. */
export function resigned(history: string, key: SigningKey): string {
  const lines = history.split('\n').slice(0, -2)
  const { b: outcome, h: head } = JSON.parse(lines.at(-1)!) as { b: { k: string }; h: string }
  if (outcome.k !== 'outcome') throw new Error('the history has no outcome before its proof')
  const { b: old } = JSON.parse(history.trimEnd().split('\n').at(-1)!) as { b: { contest: string; match: number } }
  const { root } = merkleTree([head])
  const proof = {
    ...{ k: 'proof' as const, contest: old.contest, match: old.match, head, index: 0, count: 1, path: [], root },
    ...{ key: key.publicKey, signature: key.sign(rootText(old.contest, 1, root)) },
  }
  return [...lines, chained(head, '-', proof).line].join('\n')
}

export const sampleKey = signingKey(generateKey())!
const golden = readFileSync(join(import.meta.dirname, '../../conformance/specker/golden/history-1.jsonl'), 'utf8')
export const sampleHistory = Buffer.from(resigned(golden, sampleKey))

const told = tellLines(bytesSource(sampleHistory), [{ move: 1 }, { move: 2 }, { move: null }], (id) => games.get(id))
if (typeof told === 'string') throw new Error(told)
const { contest, match } = (
  JSON.parse(golden.trimEnd().split('\n').at(-1)!) as { b: { contest: string; match: number } }
).b
const common = (n: number): { id: string; added: string } => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  added: '2026-11-28T10:00:00.000Z',
})

/** The item about a told line. */
function eventItem(n: number, index: number, note: string): DossierItem {
  const line = (told as Exclude<typeof told, string>).lines[index]!
  const place = { contest, match, line: line.line, move: line.move, part: null }
  const reference = {
    ...place,
    head: (told as Exclude<typeof told, string>).head,
    hash: line.hash,
    sentence: sentenceAt(line, null)!,
  }
  return { kind: 'event', ...common(n), reference, facts: line.facts, note }
}

/** A seat that was asked again about the first event, as the program of the class keeps it. `name`: that of the agent. */
function againItem(n: number, name: string): DossierItem {
  const event = eventItem(n, 0, '')
  if (event.kind !== 'event') throw new Error('it is an event')
  const { reference, facts } = event
  const asked = [{ body: 0, message: '{"ask":"turn"}', recorded: '[]', given: '["buy"]' }]
  return {
    ...{ kind: 'asked-again', ...common(n), reference, facts, seat: 0, name, isPinned: true, isolation: 'bubblewrap' },
    agent: (told as Exclude<typeof told, string>).agents[0]!,
    ...{ moves: 1, asked, same: false, differs: reference.move, failed: null, instead: ['It buys nothing.'] },
  }
}

/** The match played again, as the program of the class keeps it. */
function playedItem(n: number, name: string): DossierItem {
  const event = eventItem(n, 2, '')
  if (event.kind !== 'event') throw new Error('it is an event')
  const { reference, facts } = event
  return {
    ...{
      kind: 'played-again',
      ...common(n),
      reference,
      facts,
      seat: 1,
      name,
      isPinned: false,
      isolation: 'bubblewrap',
    },
    ...{ agent: 'f'.repeat(64), same: false, result: `${name} wins.` },
    differs: { move: 1, recorded: ['It buys.'], again: ['It sells.'] },
  }
}

const ruleText = 'Rule 5. Price lowering\n\nA lowered price is at least `mindec` below the price before.\n'

/** A dossier about the golden match. `words`: those of its notes and its title. */
export function sampleDossier(words = 'It lowers a price for nothing.'): KeptDossier {
  return {
    ...{ format: 'tartaglia-kept-dossier/1', id: '00000000-0000-4000-8000-000000000000', owner: { who: 'host' } },
    ...{ title: words.slice(0, 100), made: '2026-11-28T09:00:00.000Z', readers: 'nobody' },
    items: [
      eventItem(1, 0, words),
      eventItem(2, 1, ''),
      eventItem(3, 2, ''),
      { kind: 'note', ...common(4), text: words },
      { kind: 'rule', ...common(5), book: 'specker', title: 'Rule 5', text: ruleText, sha256: sha256(ruleText) },
      againItem(6, words.slice(0, 100)),
      playedItem(7, words.slice(0, 100)),
    ],
  }
}

/** The files of a dossier as they are downloaded. */
export async function sampleFiles(dossier = sampleDossier()): Promise<ReadonlyMap<string, Uint8Array>> {
  const history = async (_: unknown, most: number, into: string) => {
    writeFileSync(into, sampleHistory)
    return { sha256: sha256(sampleHistory), bytes: Math.min(most, sampleHistory.length) }
  }
  const folder = temporaryFolder('dossier-files')
  const facts = { by: 'Red', written: '2026-11-28T11:00:00.000Z', key: sampleKey, history }
  const files = await writeDossierFiles(dossier, facts, folder)
  return new Map(files.map(([path, name]) => [path, readFileSync(join(folder, name))]))
}

/** A JSON file of a dossier after an edit, in canonical form. */
export function edited(bytes: Uint8Array, edit: (value: never) => void): Uint8Array {
  const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as Json
  edit(value as never)
  return Buffer.from(`${canonicalText(value)}\n`)
}
