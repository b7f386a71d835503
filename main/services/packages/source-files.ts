import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { SOURCE_CHARACTERS_MAX } from '../../contract/players/sources.ts'
import { filesOfTarGz, filesOfZip } from './archives.ts'
import { PackageProblem, type PackageFile } from './files.ts'
import { sourcesOf } from './source-map.ts'
import { readTar } from './tar.ts'
import { readZip } from './zip.ts'
import { sentence } from '../../contract/sentence.ts'

/**
 * The files of an agent as they were handed in; those of its package if it is stored as it was handed in. `source`: the
 * handed-in file. Throws ExpectedError 'usage' if the archive is damaged.
 */
export async function sourceFiles(
  { kind, bytes }: AgentPackage,
  source: Uint8Array | null,
): Promise<readonly PackageFile[]> {
  if (source !== null) {
    if (source[0] === 0x1f && source[1] === 0x8b) return filesOfTarGz('The package', source)
    // A script that is handed in alone is text, which cannot be a zip.
    return readZip(source) instanceof PackageProblem
      ? [{ path: `agent.${endingOf(bytes, source)}`, bytes: source }]
      : filesOfZip('The package', source)
  }
  if (kind === 'script') return [{ path: 'agent.js', bytes }]
  if (kind === 'web') return [{ path: 'agent.json', bytes }]
  const files = readTar(bytes)
  return files instanceof PackageProblem ? [] : files
}

/** The ending of a script that was handed in alone; its bundle names it. */
function endingOf(bundle: Uint8Array, source: Uint8Array): string {
  if (Buffer.compare(bundle, source) === 0) return 'js'
  // Components are in folders.
  const main = sourcesOf(bundle).findLast((path) => !path.includes('/'))
  return /\.([cm]?[jt]sx?)$/i.exec(main ?? '')?.[1]?.toLowerCase() ?? 'ts'
}

/** The text of a file; null: it is not UTF-8 text, or too long to be shown. */
export function shownText(bytes: Uint8Array): string | null {
  // In UTF-8 a character takes up to three bytes for each unit of its length here.
  if (bytes.length > 3 * SOURCE_CHARACTERS_MAX || bytes.includes(0)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.length > SOURCE_CHARACTERS_MAX ? null : text
  } catch {
    return null
  }
}

/** An agent as readable text: a script's source, an agent.json, or all files of a program. */
export function readableText({ kind, bytes }: AgentPackage): string {
  if (kind !== 'program') return new TextDecoder().decode(bytes)
  const files = readTar(bytes)
  if (files instanceof PackageProblem) return sentence(`The package cannot be read: ${files.why}`)
  return files
    .map(({ path, bytes: content }) => {
      const text = content.includes(0)
        ? `[${content.length} bytes that are not text]`
        : new TextDecoder().decode(content)
      return `==== ${path} ====\n${text.trimEnd()}\n`
    })
    .join('\n')
}
