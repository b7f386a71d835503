import type { SubmittedFiles, SubmittedProgram } from '../../contract/game/submission.ts'

/** Lines of ./PACKAGES that are read, and characters of each. */
const PACKAGES_MAX = 200
const NAME_MAX = 200

/**
 * Reads a submission as section 7 of the specification describes it: `install` is run once and may make `punter`, which
 * speaks the offline protocol, and `PACKAGES` lists what both need, one package a line. null: it is another kind of package. Files for
 * the judges alone, `src` and `README`, may be missing, and so may an `install` with nothing to do. A string: the files that it lacks.
 */
export function readSubmittedPunter(files: SubmittedFiles): SubmittedProgram | string | null {
  const installs = files.has('install')
  if (!files.has('punter')) {
    const lists = files.has('PACKAGES')
    if (installs && !lists)
      return 'it has ./install, but no ./punter, and no ./PACKAGES (an empty one is enough) as submissions of 2017 have'
    if (!installs && lists) return 'it has ./PACKAGES, but neither ./punter nor ./install, which makes it'
    if (!installs) return null
  }
  return {
    command: ['./punter'],
    ...(installs ? { build: ['./install'] } : {}),
    process: 'move',
    packages: packagesIn(files.text('PACKAGES') ?? ''),
  }
}

function packagesIn(text: string): string[] {
  const names = text.split('\n').map((line) => line.replace(/#.*/, '').trim().slice(0, NAME_MAX))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, PACKAGES_MAX)
}
