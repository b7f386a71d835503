import { readdirSync, readFileSync } from 'node:fs'
import { kill, platform } from 'node:process'

/** A variable in a program's environment by which those of its children are found that have left its process group. */
export const marker = 'TARTAGLIA_SEAT'

/** New ones may come while others are ended; whoever is faster for ever is left. */
const roundsMax = 20

/**
 * Ends every process that was started with this mark. Where there is neither a box nor a namespace of processes nothing else
 * finds an orphan; one that has wiped its environment escapes, as the tier says. Does nothing where there is no /proc.
 */
export function sweepMarked(tag: string): void {
  if (platform !== 'linux') return
  for (let round = 0; round < roundsMax; round++) {
    const found = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isMarked(name, tag))
    if (found.length === 0) return
    for (const name of found) {
      try {
        kill(Number(name), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  }
}

function isMarked(pid: string, tag: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${marker}=${tag}`)
  } catch {
    return false
  }
}
