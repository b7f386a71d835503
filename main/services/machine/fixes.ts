import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TierFinding } from '../../contract/procedures/answers.ts'
import { resources } from './resources.ts'

/** A command that mends what this machine lacks. */
export interface Fix {
  /** The tiers of isolation that want it. */
  readonly tiers: readonly TierFinding['tier'][]
  /** For a shell. */
  readonly command: string
}

/** The commands for the tiers that are not available, each once. A tier for which no command is known has none. */
export function fixesFor(tiers: readonly TierFinding[]): readonly Fix[] {
  const commands = tiers.flatMap(({ available, command }) => (available || command === null ? [] : [command]))
  return [...new Set(commands)].map((command) => ({
    command,
    tiers: tiers.flatMap((each) => (each.command === command ? [each.tier] : [])),
  }))
}

/** The folder of the checkout, whose script `npm run setup:debian` means; undefined: no checkout, and no command means a folder. */
const checkout = (): string | undefined =>
  existsSync(resources.setupScript) ? dirname(dirname(resources.setupScript)) : undefined

/**
 * Runs commands until one fails; gives the exit code of each that ran. They may ask for a password, and write on stderr alone. A command that
 * cannot be started has 127, as in shells.
 */
export async function runFixes(fixes: readonly Fix[], onBegin: (fix: Fix) => void): Promise<readonly number[]> {
  const codes: number[] = []
  for (const fix of fixes) {
    onBegin(fix)
    const code = await run(fix.command)
    codes.push(code)
    if (code !== 0) break
  }
  return codes
}

function run(command: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], { cwd: checkout(), stdio: ['inherit', 2, 2] })
    child.on('error', () => resolve(127))
    child.on('close', (code) => resolve(code ?? 1))
  })
}
