import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An instruction of a Containerfile: its name, and the rest of its line, with continued lines joined. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The instructions of the project's Containerfile, stage by stage. Throws if a stage begins with none. */
export function stagesOfContainerfile(): readonly (readonly Instruction[])[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'Containerfile'), 'utf8')
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (\S.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`${line} is not an instruction.`)
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, rest })
  }
  return stages
}

/** The words of an instruction in its JSON form. */
export function wordsOf(stage: readonly Instruction[], name: string): readonly string[] {
  const { rest = '' } = stage.find((each) => each.name === name) ?? {}
  return JSON.parse(rest.slice(rest.indexOf('['))) as readonly string[]
}
