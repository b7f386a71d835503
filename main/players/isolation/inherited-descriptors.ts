import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { devNull } from 'node:os'
import { platform } from 'node:process'

/** O_CLOEXEC of the kernel's include/uapi/asm-generic/fcntl.h: closed when a process becomes another program. */
const closeOnExec = 0o2000000

let inherited: readonly number[] | undefined

/**
 * The descriptors that the parent of this process left open in it. Every process that it starts would have them too: Node's own
 * descriptors are closed there, and of those it was given it marks only the first few so. They cannot be closed here: one that
 * looks the same may have been opened this moment by another thread, such as OpenSSL's for the certificates it reads. Those that
 * are opened later are not among them. Empty where there is no /proc.
 */
function inheritedDescriptors(): readonly number[] {
  return (inherited ??= platform === 'linux' ? readdirSync('/proc/self/fd').map(Number).filter(isInherited) : [])
}

/**
 * Calls `use` with the entries of `stdio` for a process that is started, at whose places the null device takes those of the
 * inherited descriptors. Each process has one of its own: what it sets there, nobody else reads.
 */
export function withMasks<Result>(use: (masks: readonly (number | undefined)[]) => Result): Result {
  const masked = inheritedDescriptors()
  if (masked.length === 0) return use([])
  const nothing = openSync(devNull, 'r+')
  try {
    const masks: (number | undefined)[] = []
    for (const descriptor of masked) masks[descriptor] = nothing
    return use(Array.from(masks))
  } finally {
    closeSync(nothing)
  }
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
