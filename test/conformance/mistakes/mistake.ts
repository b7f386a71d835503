import type { FaultKind } from '../../../main/contract/faults.ts'
import type { Fact } from '../../refusal.ts'
import { pythonKit } from '../../python-kit.ts'
import { zip } from '../service/zip.ts'

/** A mistaken agent, and what its student has to be told. */
export interface Mistake {
  readonly name: string
  /** The name of its file, and its content. */
  readonly file: string
  readonly content: string | Uint8Array
  /** The fault; `removed`: the rules had it removed; `fine`: it plays on, and its student is told in its console. */
  readonly kind: FaultKind | 'removed' | 'fine'
  /** The kind where starting the program is work enough to tell it from one that waits. */
  readonly orKind?: FaultKind
  /** The place, the value and the words of the remedy that the report must hold. */
  readonly facts: readonly Fact[]
  /** Its seat in the match; absent: either. */
  readonly seat?: 0 | 1
  /** True if it uses up a limit of time. */
  readonly slow?: true
}

type Told = readonly [kind: Mistake['kind'], ...facts: readonly Fact[]]

const lines = (text: string): string => text.replace(/^\n/, '')

export const js = (name: string, source: string, [kind, ...facts]: Told, more: Partial<Mistake> = {}): Mistake => {
  return { name: `JavaScript: ${name}`, file: 'agent.js', content: lines(source), kind, facts, ...more }
}

export const ts = (name: string, source: string, [kind, ...facts]: Told, more: Partial<Mistake> = {}): Mistake => {
  return { name: `TypeScript: ${name}`, file: 'agent.ts', content: lines(source), kind, facts, ...more }
}

/** Mistakes of programs in Python: the kit of a game with another `agent.py`. */
export const python =
  (game: string) =>
  (
    name: string,
    source: string,
    [kind, ...facts]: Told,
    more: Partial<Mistake> & { agentJson?: object } = {},
  ): Mistake => {
    const { agentJson, ...rest } = more
    const kit = pythonKit(game)
    const manifest = JSON.parse(kit['agent.json']!) as object
    const content = zip({
      ...kit,
      'agent.json': JSON.stringify({ ...manifest, name: 'mistaken', ...agentJson }),
      'agent.py': lines(source),
    })
    return { name: `Python (needs python3): ${name}`, file: 'agent.zip', content, kind, facts, ...rest }
  }
