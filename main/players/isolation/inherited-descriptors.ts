import { openSync, readFileSync, readdirSync } from 'node:fs'
import { devNull } from 'node:os'
import { platform } from 'node:process'

/** O_CLOEXEC of the kernel's include/uapi/asm-generic/fcntl.h: closed when a process becomes another program. */
const closeOnExec = 0o2000000

let masks: readonly (number | undefined)[] | undefined

/**
 * For each descriptor that whoever started this process left open in it, one of the null device, to be put in its place in a
 * process that is started; undefined at all others. Node's own descriptors are closed there, and of those it was given
 * it marks only the first few so. They are not closed here: one that looks the same may have been opened this moment by
 * another thread, such as OpenSSL's for the certificates it reads, and masking that harms nobody. Empty where there is no /proc.
 */
export function inheritedMasks(): readonly (number | undefined)[] {
  return (masks ??= findMasks())
}

function findMasks(): readonly (number | undefined)[] {
  if (platform !== 'linux') return []
  const inherited = readdirSync('/proc/self/fd').map(Number).filter(isInherited)
  if (inherited.length === 0) return []
  const nothing = openSync(devNull, 'r+')
  const found: (number | undefined)[] = []
  for (const descriptor of inherited) found[descriptor] = nothing
  return Array.from(found)
}

function isInherited(descriptor: number): boolean {
  if (descriptor <= 2) return false
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
    return flags !== null && (Number.parseInt(flags[1]!, 8) & closeOnExec) === 0
  } catch {
    // The one by which the folder was read.
    return false
  }
}
