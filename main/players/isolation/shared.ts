import { sealed } from './bubblewrap.ts'
import { commonPath, entryTo } from './common-folder.ts'
import type { LaunchTier } from './launch.ts'

/** As `bubblewrap`, with the folder that the agents of the match have in common. */
export const shared: LaunchTier = (options) => {
  const entry = entryTo(options.common, options)
  return 'missing' in entry ? entry : sealed(options, { entry, folder: commonPath })
}
