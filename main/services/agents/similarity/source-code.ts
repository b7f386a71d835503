import type { AgentPackage } from '../../../administrator/classroom/agents.ts'
import { shownText, sourceFiles } from '../../packages/source-files.ts'
import type { CommentStyle } from './code-tokens.ts'

/** A text of code. */
export interface CodeFile {
  readonly path: string
  readonly text: string
  readonly comments: CommentStyle
}

/** The endings of files that hold code of a program. */
const code = /\.(py|[cm]?[jt]s|java|kt|c|cc|cpp|cxx|h|hpp|cs|go|rs|swift|scala|php|rb|lua|jl|r)$/i
/** Hand-written agents are smaller. A longer one is compared by its first files, so that the time is bounded. */
const CHARACTERS_MAX = 2 * 1024 * 1024

/**
 * The code that a person wrote for an agent: its script, or the source files of its program. Empty for a web application.
 * Throws ExpectedError 'usage' if its archive is damaged.
 */
export async function codeOf(agent: AgentPackage): Promise<readonly CodeFile[]> {
  if (agent.kind === 'web') return []
  if (agent.kind === 'script') return [codeFile('agent.js', new TextDecoder().decode(agent.bytes))]
  const found: CodeFile[] = []
  let characters = 0
  for (const { path, bytes } of await sourceFiles(agent, null)) {
    const text = code.test(path) && !path.includes('node_modules/') ? shownText(bytes) : null
    if (text === null) continue
    if (characters + text.length > CHARACTERS_MAX) break
    characters += text.length
    found.push(codeFile(path, text))
  }
  return found
}

/** A file's comments follow from its ending. */
export const codeFile = (path: string, text: string): CodeFile => ({
  path,
  text: text.slice(0, CHARACTERS_MAX),
  comments: /\.(py|rb|jl|r)$/i.test(path) ? 'python' : 'slashes',
})
