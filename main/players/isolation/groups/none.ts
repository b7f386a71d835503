import { entering } from './enter.ts'
import type { Groups } from './group.ts'
import { holdsTooMany } from './kernel-objects.ts'

/** Where there are no groups. `sh`: the shell that sets what remains; undefined: nothing does. `missing`: why. */
export function noGroups(missing: string, sh: string | undefined): Groups {
  return {
    version: null,
    missing,
    take: () => ({
      enter: (launch) => (sh === undefined ? launch : entering(sh, [], launch)),
      cpuMs: () => null,
      setWeight: () => undefined,
      ranOutOfMemory: (pids = []) => holdsTooMany(pids),
      end: () => undefined,
    }),
  }
}
