import type { Command } from 'commander'
import type { ReadExports } from '../../../services/games/specker/exported-matches.ts'
import type { Terminal } from '../../terminal.ts'
import { count } from '../../text.ts'

/** The arguments of a verb that reads exported matches. */
export function addExports(verb: Command): Command {
  return verb
    .argument('<files...>', 'exported matches of one contest (`contest run --export`)')
    .option('--key <key>', "the class's public key (tartaglia-ed25519:...), or a file that contains it")
}

/** Without a key, says that the files vouch for themselves. */
export function noteOwnKeys(terminal: Terminal, key: string | undefined): void {
  if (key !== undefined) return
  terminal.note("Each signature was checked against the key in its own file. Pass --key to check the class's key.")
}

/** How many matches were read, such as "3 matches (1 file with a match of another file left out)". */
export function readLine({ matches, duplicates }: ReadExports): string {
  const files = count(duplicates.length, 'file', 'files')
  const again = duplicates.length === 0 ? '' : ` (${files} with a match of another file left out)`
  return `${count(matches, 'match', 'matches')}${again}`
}
