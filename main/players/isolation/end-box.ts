import type { ChildProcess } from 'node:child_process'
import { kill, platform } from 'node:process'
import { childrenOf } from '../proc.ts'
import { killAll } from './groups/files.ts'
import type { AgentGroup } from './groups/group.ts'

/**
 * Ends what was started with this process. Its group first, where there is one: nothing leaves it. Otherwise the
 * children, one of which is a box's process 1, with which the kernel ends everything in the box; then the process group,
 * because bubblewrap that is killed between making its child and writing that child's user map leaves it waiting for ever,
 * not yet bound to die with its parent.
 */
export function endBox(child: ChildProcess, group?: AgentGroup): void {
  group?.end()
  // After its exit its number may be somebody else's.
  const runs = child.pid !== undefined && child.exitCode === null && child.signalCode === null
  if (runs && platform === 'linux') killAll(childrenOf(child.pid))
  child.kill('SIGKILL')
  if (child.pid !== undefined) endGroup(child.pid)
}

/** Kills all processes of a group that is our own making. One that is gone is ignored. */
export function endGroup(group: number): void {
  if (platform === 'win32') return
  try {
    kill(-group, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
