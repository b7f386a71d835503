import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

/**
 * Plays the sample contest from the first line of the command to its end, in a data folder of its own. `prefix`: a command that
 * runs the command behind it. Returns matches a second, and the contest's folder.
 */
export async function playSampleContest(
  folder: string,
  cores: number,
  prefix: readonly string[] = [],
): Promise<{ readonly rate: number; readonly contest: string }> {
  const data = await mkdtemp(join(folder, 'data-'))
  const command = [process.execPath, CLI, 'contest', 'run', 'sample', '--json', '--data', data, '--cores', `${cores}`]
  const [file = '', ...args] = [...prefix, ...command]
  const start = performance.now()
  const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 2 ** 26 })
  const took = performance.now() - start
  const { contest, matches } = JSON.parse(stdout) as { contest: string; matches: { played: number; total: number } }
  if (matches.played !== matches.total) throw new Error('not all matches were played')
  return { rate: (matches.played * 1_000) / took, contest: join(data, 'contests', contest) }
}
