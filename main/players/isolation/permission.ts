import { direct } from './none.ts'
import { permissionFlags, type LaunchTier } from './launch.ts'

/** Node's permission model alone: no files, processes, workers or network, but signals to siblings are possible. */
export const permission: LaunchTier = (options) => direct(options, permissionFlags(options.runtime.hostFile))
