import type { AgentPackage } from '../../administrator/classroom/agents.ts'
import { readTar } from './tar.ts'

/** An agent as a person reads it: a script's text, an agent.json, or a program's files one below the other. */
export function readableText({ kind, bytes }: AgentPackage): string {
  if (kind !== 'program') return new TextDecoder().decode(bytes)
  const files = readTar(bytes)
  if (typeof files === 'string') return `The package cannot be read: ${files}.`
  return files
    .map(({ path, bytes: content }) => {
      const text = content.includes(0)
        ? `[${content.length} bytes that are no text]`
        : new TextDecoder().decode(content)
      return `==== ${path} ====\n${text.trimEnd()}\n`
    })
    .join('\n')
}
