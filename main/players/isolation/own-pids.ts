import { spawn } from 'node:child_process'
import type { LaunchOptions } from './launch.ts'

/**
 * What a program without a box is started with, so that all that it starts ends with it, wherever it went: `enter` comes
 * first, `start` right before the program. They are two shells of ours, one that makes the first process of a namespace of
 * processes, and that one, which starts the program and buries orphans.
 */
export interface OwnPids {
  readonly enter: readonly string[]
  readonly start: readonly string[]
}

/** Starts what follows and waits for it, without a hand on what it reads and answers; a shell's child would read nothing. */
const waitFor = (output: string): string => `exec 5<&0; "$@" <&5 5<&- ${output} & exec <&- 4>&- 5<&-; wait $!`

/**
 * How to have such a namespace: root simply may, others make themselves one of users as well. null where this machine lets
 * them not. The program answers on descriptor 4. Never rejects.
 */
export async function findOwnPids({ tools, root }: Pick<LaunchOptions, 'tools' | 'root'>): Promise<OwnPids | null> {
  const { unshare, setpriv, sh } = tools
  if (unshare === undefined || setpriv === undefined || sh === undefined) return null
  const enter = [unshare, ...(root ? [] : ['--user', '--map-current-user']), '--pid', '--']
  if (!(await succeeds([...enter, sh, '-c', '"$@" & wait $!', 'sh', 'true']))) return null
  // Whoever started it may be killed: the first shell dies with us, the second with the first, all else with the second.
  const shell = (script: string): readonly string[] => [setpriv, '--pdeathsig', 'KILL', '--', sh, '-c', script, 'sh']
  return { enter, start: [...shell(waitFor('')), ...shell(waitFor('>&4 4>&-'))] }
}

function succeeds([file, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file!, args, { stdio: 'ignore', cwd: '/' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}
