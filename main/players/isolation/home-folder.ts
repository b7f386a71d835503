import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

/** This user's home, an absolute path; null: neither the environment nor the system names one, as in a container with a user of its own. */
export function homeFolder(): string | null {
  try {
    const home = homedir()
    // HOME may be empty: its folders would be those of whatever folder the program was started in.
    return isAbsolute(home) ? home : null
  } catch {
    return null
  }
}
