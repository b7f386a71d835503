import { join } from 'node:path'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { blobLine, chained } from '../../histories/chain.ts'
import { writeFileDurably } from '../../histories/durable.ts'
import { exportName } from '../../contract/histories/match-link.ts'
import { generateKey, keyText, signingKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { merkleTree } from '../../histories/merkle.ts'
import { bytesSource } from '../../histories/history-source.ts'
import { showMatch } from '../../histories/print-match.ts'
import { rootText } from '../../histories/segments/seal-texts.ts'
import { KEY_FILE, openExportFolder } from '../files/export-folder.ts'

/** Writes matches that belong to no class into a folder: each as a history, and as a transcript in sentences. */
export interface MatchExport {
  readonly contest: ContestId
  /** A blob of each history, in place of a contest's description. */
  readonly description: Json
  /** The number of matches so far, which is that of the next one. */
  written(): MatchNumber
  /** Writes the next match. Throws MachineError. */
  write(match: FinishedRun): void
}

/** The lines of a match from its header to its outcome. */
export interface FinishedRun {
  readonly game: ErasedGame
  readonly config: Json
  readonly text: string
  readonly head: Sha256
}

/**
 * Opens a folder for matches, with a key of its own that signs them. Throws ExpectedError 'conflict' if files of other matches are in
 * the way, and MachineError.
 */
export function openMatchExport(
  to: string,
  { title, game, matches }: { readonly title: string; readonly game: string; readonly matches: number },
): MatchExport {
  const key = signingKey(generateKey())
  if (key === null) throw new Error('a new key cannot be read')
  const contest: ContestId = `${game}-${key.publicKey.slice(0, 12)}`
  const owner = { contest, key: key.publicKey }
  const folder = openExportFolder(to, owner, (match: MatchNumber) => match < matches)
  writeNew(join(folder, KEY_FILE), `${keyText(key.publicKey)}\n`)
  const description: Json = { title, game }
  const heads: Sha256[] = []
  return {
    contest,
    description,
    written: () => heads.length,
    write({ game: played, config, text, head }) {
      heads.push(head)
      const match = heads.length - 1
      const { root, count, path } = merkleTree(heads)
      const signed = { contest, count, root, key: key.publicKey, signature: key.sign(rootText(contest, count, root)) }
      const proof = chained(head, '-', { k: 'proof', ...signed, match, head, index: match, path: path(match) })
      const history = [blobLine(config).line, blobLine(description).line, text, proof.line].join('')
      const file = join(folder, exportName({ match }))
      writeNew(file, history)
      const told = showMatch(bytesSource(Buffer.from(history)), (id) => (id === played.id ? played : undefined))
      writeNew(file.replace(/\.jsonl$/, '.txt'), `${[...told].join('\n')}\n`)
    },
  }
}

/** The file is replaced, not overwritten, because the name may be a link that somebody planted. */
function writeNew(file: string, text: string): void {
  try {
    writeFileDurably(file, text, 0o644)
  } catch (error) {
    throw machineErrorFrom(error, 'write', file)
  }
}
