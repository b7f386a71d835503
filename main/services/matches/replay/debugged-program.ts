import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { SeatRecord } from '../../../contract/game/table.ts'
import type { Json } from '../../../contract/json.ts'
import type { Limits } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { agentManifest, type AgentManifest } from '../../../contract/players/agents.ts'
import { readJsonText } from '../../../contract/json-text.ts'
import type { ProgramLauncher } from '../../../players/isolation/program.ts'
import { createProgramHost } from '../../../players/program-player.ts'
import { asTyped } from '../../machine/as-typed.ts'
import { seatProgramAgent } from '../../../worker/seating.ts'
import { refused } from '../../packages/form.ts'
import { resources } from '../../machine/resources.ts'
import { playerRespondent, type Respondent } from './respondent.ts'

/** The port on which editors look for debugpy. */
export const DEBUGPY_PORT = 5678

export interface DebugProgramOptions {
  /** A folder with an agent.json, which is run where it is, so that the editor's breakpoints are in the files that run. */
  readonly folder: string
  readonly game: ErasedGame
  readonly config: Json
  readonly seats: readonly SeatRecord[]
  readonly seat: SeatRecord
  readonly limits: Limits
  seedOf(body: number): string
  readonly port: number
  /** Ends the program, which Ctrl-C in the terminal does not reach. */
  readonly signal: AbortSignal | undefined
  onNotice(text: string): void
}

/**
 * Runs a program in Python without isolation under debugpy, which waits for an editor to connect. It has the seed of the match.
 * Throws ExpectedError: the folder is not such a program, or debugpy is not installed.
 */
export async function debuggedProgram(options: DebugProgramOptions): Promise<Respondent> {
  const { folder, game, config, seats, seat, limits, seedOf, port, signal, onNotice } = options
  const manifest = manifestIn(folder, game)
  const command = manifest.commands?.[seat.role] ?? manifest.command
  if (command === undefined)
    throw new ExpectedError('usage', 'role-missing', `${folder} has no program for the role ${seat.role}.`)
  const place = resolve(folder)
  const program = { folder: place, command: withDebugpy(command, place, port), process: 'match' } as const
  const programs = createProgramHost({ tier: 'none', nodeBinary: resources.node, launcher: asDebugged })
  onNotice(
    `A debugger for Python may connect to 127.0.0.1:${port}. The agent waits for it, runs without isolation, and stops at your breakpoints.`,
  )
  const end = (): void => void programs.close()
  signal?.addEventListener('abort', end, { once: true })
  const patient = { ...limits, startMs: 600_000, memoryMb: 4 * limits.memoryMb }
  const seating = { game, config, seats, limits: patient, clock: 'real', fresh: true, common: undefined } as const
  return playerRespondent({
    seat: (emit) => seatProgramAgent(programs, program, seating, seat, seedOf, emit),
    answerMs: 86_400_000,
    close() {
      signal?.removeEventListener('abort', end)
      return programs.close()
    },
  })
}

/** As the person runs Python in this terminal, whose packages debugpy is one of; like in a match, it does not buffer its output. */
const asDebugged: ProgramLauncher = (program) => asTyped({ ...program, env: { PYTHONUNBUFFERED: '1', ...program.env } })

function manifestIn(folder: string, game: ErasedGame): AgentManifest {
  const name = `${basename(resolve(folder))}/agent.json`
  let text: string
  try {
    text = readFileSync(join(folder, 'agent.json'), 'utf8')
  } catch {
    throw new ExpectedError('usage', 'not-a-script', `${folder} is neither a script nor a folder with an agent.json.`)
  }
  const read = readJsonText(text, agentManifest)
  if (!read.ok) throw refused('manifest-invalid', name, `${read.line}:${read.column}: ${read.message}`)
  if (read.value.game !== game.id) throw refused('other-game', name, `it plays ${read.value.game}, not ${game.id}`)
  if (read.value.kind !== 'program') throw refused('kind-not-accepted', name, 'it is not the manifest of a program')
  return read.value
}

/** A command line that runs Python, with debugpy before its script. Throws ExpectedError 'usage' if that cannot be. */
export function withDebugpy(command: readonly string[], folder: string, port: number): readonly string[] {
  const [python = '', ...rest] = command
  if (!/^(.*[\\/])?(python|pypy)[\d.]*(\.exe)?$/i.test(python))
    throw new ExpectedError(
      'usage',
      'not-supported',
      `Only scripts and programs in Python can be debugged here, and the command of this one is ${python}.`,
    )
  if (port === 0)
    throw new ExpectedError(
      'usage',
      'input-invalid',
      'A program in Python is debugged on a port that is known beforehand: give --inspect-port a number of at least 1.',
    )
  const found = spawnSync(python, ['-c', 'import debugpy'], { cwd: folder })
  if (found.status !== 0)
    throw new ExpectedError(
      'usage',
      'not-supported',
      `debugpy is not installed for ${python}: "${python} -m pip install debugpy" installs it.`,
    )
  return [python, ...underDebugpy(rest, port)]
}

/** Arguments of Python with debugpy in between: Python's own options stand before it, and the program after it. */
export function underDebugpy(rest: readonly string[], port: number): readonly string[] {
  let at = 0
  for (let own = rest[at]; own !== undefined && /^-./.test(own); own = rest[at]) {
    const [letters = '', letter = ''] = /^-[^-]*?([mcWX])/.exec(own) ?? []
    // These begin the program.
    if (letter === 'm' || letter === 'c') break
    // The value of these may be the next argument.
    at += letters === own || own === '--check-hash-based-pycs' ? 2 : 1
  }
  const [own, program] = [rest.slice(0, at), rest.slice(at)]
  // Else debugpy prints four lines about modules that Python keeps frozen, as if the agent had.
  return [
    ...own,
    '-Xfrozen_modules=off',
    '-m',
    'debugpy',
    '--listen',
    `127.0.0.1:${port}`,
    '--wait-for-client',
    ...program,
  ]
}
