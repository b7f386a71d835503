import { ExpectedError } from '../../../contract/expected-error.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import { scriptText } from '../../../players/scripts/script-source.ts'
import { namedAgentFile } from '../../agents/named-agents.ts'
import { readBytes } from '../../files/read-file.ts'
import { readAgentFile } from '../../packages/prepare.ts'
import type { Entry } from './sessions.ts'

/** The original's maximum size of a script. */
const ENTRY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads entries: files, or names of shipped agents. TypeScript and zips are read as when they are handed in; other
 * files as by the original: bytes that are not UTF-8 become U+FFFD. Throws ExpectedError 'usage', also if a zip
 * contains no script.
 */
export async function readEntries(files: readonly string[]): Promise<readonly Entry[]> {
  return Promise.all(files.map(async (name) => ({ name, source: await sourceOf(namedAgentFile(haggle.id, name)) })))
}

async function sourceOf(file: string): Promise<string> {
  if (!/\.([cm]?ts|zip)$/i.test(file)) return scriptText(await readBytes(file, ENTRY_BYTES_MAX))
  const refuse = (): never => {
    throw new ExpectedError(
      'usage',
      'not-a-script',
      `${file} is not a script; only scripts play sessions. Run "tartaglia match play" instead.`,
    )
  }
  const { agent } = await readAgentFile(file, { game: haggle.id, isolation: () => Promise.resolve().then(refuse) })
  return agent.kind === 'script' ? scriptText(agent.bytes) : refuse()
}
