// The place of the sample term, for a launcher that begins before anything is built.
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { Plain } from './setup.mjs'

/**
 * The folder in which the window makes the sample term, too (`classesBeside` of the default data folder): classes that are begun from it lie where
 * the system keeps a user's data, which no cleaner of caches deletes. Throws Plain if they would lie in the home of a user who has none.
 */
export function sampleTermFolder(env, system, home = homeFolder()) {
  return join(`${usualData(env, system, home)}-classes`, 'sample-term')
}

/** The same as `defaultDataFolder`, which is built only after the launcher has begun. */
function usualData(env, system, home) {
  if (env.TARTAGLIA_DATA) return resolve(env.TARTAGLIA_DATA)
  if (system === 'win32') return join(env.APPDATA ?? join(needed(home), 'AppData', 'Roaming'), 'Tartaglia')
  if (system === 'darwin') return join(needed(home), 'Library', 'Application Support', 'Tartaglia')
  const shared = env.XDG_DATA_HOME ?? ''
  return join(isAbsolute(shared) ? shared : join(needed(home), '.local', 'share'), 'tartaglia')
}

function needed(home) {
  if (home !== null) return home
  throw new Plain(
    'This user has no home for the sample term: name a folder with --data or TARTAGLIA_DATA, or set HOME.',
  )
}

/** The same as `homeFolder` of the program. */
function homeFolder() {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : null
  } catch {
    return null
  }
}
