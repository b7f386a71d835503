import { closeSync, readFileSync, readdirSync } from 'node:fs'
import { platform, versions } from 'node:process'

/** O_CLOEXEC of the kernel's include/uapi/asm-generic/fcntl.h: closed when a process becomes another program. */
const closeOnExec = 0o2000000

let closed = false

/**
 * Closes the descriptors above 2 that whoever started this process left open in it, or every process that it starts would have them
 * too: Node's own are closed there, and of those it was given it marks only the first few so. The main process of Electron
 * keeps its own: Chromium uses them, and no agent or build is started by it. Does nothing but the first time, and where there is no /proc.
 */
export function closeInheritedDescriptors(): void {
  if (closed) return
  closed = true
  if (platform !== 'linux' || 'electron' in versions) return
  for (const descriptor of readdirSync('/proc/self/fd').map(Number)) {
    if (descriptor > 2 && isInheritable(descriptor)) closeSync(descriptor)
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
    return flags !== null && (Number.parseInt(flags[1]!, 8) & closeOnExec) === 0
  } catch {
    // The one by which the folder was read.
    return false
  }
}
