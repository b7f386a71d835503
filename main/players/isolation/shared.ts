import { sealed } from './bubblewrap.ts'
import { commonPath, entryTo } from './common-folder.ts'
import type { LaunchTier } from './launch.ts'

/** Like `bubblewrap`, with a folder that the agents of the match share. */
export const shared: LaunchTier = (options) => {
  const entry = entryTo(options.common, options)
  return 'missing' in entry ? entry : sealed(options, { entry, folder: commonPath })
}
