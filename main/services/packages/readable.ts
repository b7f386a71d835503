import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { readTar } from './tar.ts'

/** An agent as readable text: a script's source, an agent.json, or all files of a program. */
export function readableText({ kind, bytes }: AgentPackage): string {
  if (kind !== 'program') return new TextDecoder().decode(bytes)
  const files = readTar(bytes)
  if (typeof files === 'string') return `The package cannot be read: ${files}.`
  return files
    .map(({ path, bytes: content }) => {
      const text = content.includes(0)
        ? `[${content.length} bytes that are not text]`
        : new TextDecoder().decode(content)
      return `==== ${path} ====\n${text.trimEnd()}\n`
    })
    .join('\n')
}
