import { readdirSync, readFileSync } from 'node:fs'

/** A live process, as /proc tells. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** All live processes; zombies are dead. */
function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // The name of a program may hold anything: state and parent follow the last bracket.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === 'Z' || state === 'X') return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      return [{ pid: Number(name), parent: Number(parent), command }]
    } catch {
      return [] // gone between the two looks
    }
  })
}

/** The processes below one, nearest first. */
export function descendantsOf(pid: number): readonly Process[] {
  const all = processes()
  const found: Process[] = []
  for (let level = [pid]; level.length > 0;) {
    const below = all.filter(({ parent }) => level.includes(parent))
    found.push(...below)
    level = below.map((each) => each.pid)
  }
  return found
}

/** The processes whose command line holds a text. */
export function processesWith(text: string): readonly Process[] {
  return processes().filter(({ command }) => command.includes(text))
}
