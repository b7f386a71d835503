import { ExpectedError } from '../../../contract/expected-error.ts'
import { haggle } from '../../../referees/haggle/haggle.ts'
import { scriptText } from '../../../players/script-source.ts'
import { namedAgentFile } from '../../agents/named-agents.ts'
import { readBytes } from '../../files/read-file.ts'
import { readAgentFile } from '../../packages/prepare.ts'
import type { Entry } from './sessions.ts'

/** The original took scripts of this size. */
const ENTRY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads entries: files, or names of agents that ship. TypeScript and zips are read as agents that are handed in, all else as the
 * original read it: bytes that are no UTF-8 become U+FFFD. Throws ExpectedError 'usage', also where a zip holds no script.
 */
export async function readEntries(files: readonly string[]): Promise<readonly Entry[]> {
  return Promise.all(files.map(async (name) => ({ name, source: await sourceOf(namedAgentFile(haggle.id, name)) })))
}

async function sourceOf(file: string): Promise<string> {
  if (!/\.([cm]?ts|zip)$/i.test(file)) return scriptText(await readBytes(file, ENTRY_BYTES_MAX))
  const refuse = (): never => {
    throw new ExpectedError(
      'usage',
      `${file} is no script; sessions are between scripts. Run "tartaglia match play" instead.`,
    )
  }
  const { agent } = await readAgentFile(file, { game: haggle.id, isolation: () => Promise.resolve().then(refuse) })
  return agent.kind === 'script' ? scriptText(agent.bytes) : refuse()
}
