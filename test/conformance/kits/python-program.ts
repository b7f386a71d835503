import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { messageTypes } from '../../../main/services/agents/kit-code/emitters.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { firstAgent, lessonsOf, withLessonsInPython } from '../../unit/kits/lessons.ts'

const kits = fileURLToPath(new URL('../../../agents/kits/', import.meta.url))
const folder = temporaryFolder('python-kits')

/** A Python program with a dialogue of JSON lines. */
export interface Program {
  ask(message: object): Promise<{ readonly [key: string]: Json }>
  close(): void
}

/** Writes the agent of a kit for Python after some lessons, and returns its folder. */
export function writePythonKit(game: string, lessons: number): string {
  const agent = withLessonsInPython(firstAgent(game, 'python/agent.py'), lessonsOf(game).slice(0, lessons))
  return writePythonAgent(game, `${game}-${lessons}`, agent)
}

/** Writes an agent beside the library of a game's kit for Python, and returns its folder. */
export function writePythonAgent(game: string, name: string, agent: string): string {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  for (const from of ['shared/python/tartaglia.py', `${game}/python/${game}.py`]) {
    cpSync(join(kits, from), join(home, from.split('/').at(-1)!))
  }
  for (const [path, text] of messageTypes(game, 'python')) writeFileSync(join(home, path), text)
  writeFileSync(join(home, 'agent.py'), agent)
  return home
}

/** Starts the agent of a kit for Python after some lessons. */
export const startPython = (game: string, lessons: number, seed: number): Program =>
  startProgram(writePythonKit(game, lessons), ['python3', 'agent.py'], seed)

/** Starts a program in its folder. */
export function startProgram(cwd: string, [command, ...given]: readonly string[], seed: number): Program {
  const child = spawn(command!, given, {
    cwd,
    env: { PATH: '/usr/bin:/bin', TARTAGLIA_SEED: String(seed) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let question = 0
  return {
    async ask(message) {
      child.stdin.write(`${JSON.stringify({ ...message, question: ++question })}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error('the program ended')
      const { question: answered, ...answer } = JSON.parse(value) as { question: number }
      expect(answered).toBe(question)
      return answer
    },
    close: () => child.stdin.end(),
  }
}
