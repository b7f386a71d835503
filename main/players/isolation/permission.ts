import { direct } from './none.ts'
import { permissionFlags, type LaunchTier } from './launch.ts'

/** Node's permission model alone: no files, processes, workers or network; a sibling can still be signalled. */
export const permission: LaunchTier = (options) => direct(options, permissionFlags(options.runtime.hostFile))
