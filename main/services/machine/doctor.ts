import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { DoctorFinding } from '../../contract/procedures/answers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { ownGroups } from '../../players/isolation/groups/detect.ts'
import { selfTest, type SelfTestOptions, type SelfTestReport } from '../../players/isolation/self-test/self-test.ts'
import { OPEN_FILES_ADVICE, openFilesLimit, tooFewOpenFiles } from '../../administrator/classroom/open-files.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import type { ContestId } from '../../contract/ids.ts'
import { segmentName } from '../../histories/segments/seal-texts.ts'
import { contestFolder } from './data-folder.ts'
import { isolationTiers } from './isolation.ts'
import { toolchainsFile } from '../../players/isolation/declared-toolchains.ts'
import { toolchainsHere, toolchainWords } from './toolchains.ts'
import { resources } from './resources.ts'
import { versionFinding } from './update-notice.ts'

const megabyte = 1024 * 1024
/** Free space in bytes: below `little` a contest may run out of it, below `tooLittle` nothing should start. */
const little = 1024 * megabyte
const tooLittle = 50 * megabyte

const agentFiles = { nodeBinary: resources.node, hostFile: resources.agentHost }

/**
 * Runs attacks against every isolation tier of this machine; takes some seconds. Throws ExpectedError 'stopped' if the
 * signal aborts.
 */
export async function attackTiers(options: SelfTestOptions = {}): Promise<readonly SelfTestReport[]> {
  return selfTest(agentFiles, options).catch((error: unknown) => {
    throw options.signal?.aborted === true ? new ExpectedError('stopped', 'stopped', 'The check was stopped.') : error
  })
}

/**
 * Checks everything that contests need from this machine. `attacks`: the result of `attackTiers`, or null. Leaves no
 * files behind.
 */
export async function examineMachine(
  data: string,
  attacks: readonly SelfTestReport[] | null,
): Promise<readonly DoctorFinding[]> {
  const held = await isolation(attacks)
  const counted = await groups()
  return [
    await version(data),
    await node(),
    await toolchains(),
    platform(),
    cores(),
    memory(),
    programs(),
    ...held,
    counted,
    openFiles(),
    await folder(data),
    await classOf(data),
    await space(data),
  ]
}

/** The version of this program. A newer one is told beside it, if the class names an address. */
function version(data: string): Promise<DoctorFinding> {
  const address = loadClass(data).then(
    ({ content }) => content.settings.updates,
    () => '',
  )
  return address.then(versionFinding)
}

/** Checks the Node that runs workers and agents; in the desktop app this process runs another one. */
async function node(): Promise<DoctorFinding> {
  const { text, why } = await promisify(execFile)(resources.node, ['--version'], { env: {} }).then(
    ({ stdout }) => ({ text: stdout.trim(), why: '' }),
    (error: unknown) => ({ text: null, why: (error as { readonly stderr?: string }).stderr ?? '' }),
  )
  if (text === null) {
    const library = /error while loading shared libraries: ([^:\s]+):/.exec(why)?.[1]
    const lacks = library === undefined ? '' : `: the system lacks ${library}`
    const advice =
      library === undefined ? 'Reinstall Tartaglia.' : 'Install the package that has it, such as libatomic1.'
    return { name: 'node', verdict: 'bad', text: `${resources.node} does not run${lacks}`, advice }
  }
  if (Number.parseInt(text.slice(1), 10) >= 26) return { name: 'node', verdict: 'good', text }
  const advice = 'Start it with npm or npx in the project folder, which include Node 26.'
  return { name: 'node', verdict: 'bad', text: `${text}; agents need at least 26`, advice }
}

/** Tells which toolchains programs find. A class needs none of them, so that a missing one is not a fault. */
async function toolchains(): Promise<DoctorFinding> {
  const name = 'toolchains'
  try {
    return { name, verdict: 'good', text: toolchainWords(await toolchainsHere()) }
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    return { name, verdict: 'weak', text: error.message, advice: `Correct ${toolchainsFile()}.` }
  }
}

function platform(): DoctorFinding {
  return { name: 'platform', verdict: 'good', text: `${process.platform}-${process.arch}` }
}

function cores(): DoctorFinding {
  const number = availableParallelism()
  return { name: 'cores', verdict: 'good', text: String(number) }
}

function memory(): DoctorFinding {
  const [free, total] = [freemem(), totalmem()].map((bytes) => Math.round(bytes / megabyte)) as [number, number]
  const text = `${free} MB free of ${total} MB`
  if (free >= 1024) return { name: 'memory', verdict: 'good', text }
  const advice = 'Close other programs, or give contests fewer cores (--cores).'
  return { name: 'memory', verdict: 'weak', text, advice }
}

function programs(): DoctorFinding {
  const missing = [resources.worker, resources.agentHost, resources.bundler].filter((file) => !existsSync(file))
  if (missing.length === 0)
    return { name: 'programs', verdict: 'good', text: 'worker, agent host and bundler are built' }
  return { name: 'programs', verdict: 'bad', text: `${missing.join(' and ')} missing`, advice: 'Run: npm run build' }
}

/**
 * Runs an agent in each tier and counts the attacks that the tier withstands. One tier is enough to play; bubblewrap is
 * recommended.
 */
async function isolation(attacks: readonly SelfTestReport[] | null): Promise<readonly DoctorFinding[]> {
  const tiers = (await isolationTiers()).filter(({ tier }) => tier !== 'none')
  const some = tiers.some(({ available }) => available)
  return tiers.map(({ tier, available, text: reason, command }) => {
    if (!available) {
      const advice = command === null ? {} : { advice: `Run: ${command}` }
      return { name: tier, verdict: some ? 'weak' : 'bad', text: reason, ...advice }
    }
    const checks = attacks?.find((report) => report.tier === tier)?.checks ?? []
    const succeeded = checks.filter(({ holds }) => !holds).map(({ name }) => name)
    const withstood = `withstands ${checks.length - succeeded.length} of ${checks.length} attacks`
    const text = checks.length === 0 ? 'an agent answered in it' : `an agent answered in it; it ${withstood}`
    if (succeeded.length === 0) return { name: tier, verdict: 'good', text }
    // The permission model is known to permit some attacks; bubblewrap must permit none.
    return {
      name: tier,
      verdict: tier === 'permission' ? 'weak' : 'bad',
      text: `${text}, not: ${succeeded.join('; ')}`,
    }
  })
}

/** Checks that control groups count the resources that agents use. */
async function groups(): Promise<DoctorFinding> {
  const name = 'groups'
  const { version, missing } = await ownGroups()
  if (version !== null) {
    const text = `control groups ${version}: all that agents make the system hold or compute is counted and limited`
    return { name, verdict: 'good', text }
  }
  const text = `${missing}: memory that the system holds for agents is estimated, and very short processes are not counted`
  if (process.platform !== 'linux') return { name, verdict: 'weak', text }
  const advice = 'With systemd, put "systemd-run --user --scope -p Delegate=yes" before the command.'
  return { name, verdict: 'weak', text, advice }
}

/** Writes, syncs and removes a file in the data folder, or in the folder where the data folder would be created. */
async function folder(data: string): Promise<DoctorFinding> {
  const name = 'data folder'
  const there = existing(data)
  try {
    const probe = await mkdtemp(join(there, '.tartaglia-doctor-'))
    try {
      const file = await open(join(probe, 'probe'), 'wx')
      try {
        await file.writeFile('probe')
        await file.sync()
      } finally {
        await file.close()
      }
    } finally {
      await rm(probe, { recursive: true, force: true })
    }
    return { name, verdict: 'good', text: there === data ? data : `${data} (created by the first contest)` }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const advice = 'Choose another folder with --data or TARTAGLIA_DATA, or fix its permissions.'
    return { name, verdict: 'bad', text: `${data} cannot be written (${why})`, advice }
  }
}

/** Checks that this process may open as many files as contests need. */
function openFiles(): DoctorFinding {
  const name = 'open files'
  const limit = openFilesLimit()
  const problem = tooFewOpenFiles(limit)
  if (problem !== null) return { name, verdict: 'bad', text: problem, advice: OPEN_FILES_ADVICE }
  return { name, verdict: 'good', text: limit === null ? 'no limit is known' : `up to ${limit} in a process` }
}

/** Checks that the class can be read, and that it lists everything that is on disk. Writes nothing. */
async function classOf(data: string): Promise<DoctorFinding> {
  const name = 'class'
  try {
    const { content, fresh, notices } = await loadClass(data)
    if (fresh) return { name, verdict: 'good', text: 'there is none yet' }
    const advice = 'Open the class, for example with "tartaglia serve": class.json is then written anew.'
    if (notices.length > 0) return { name, verdict: 'weak', text: notices.join(' '), advice }
    const gone = content.contests.filter(({ id, state }) => state === 'ended' && !hasHistories(data, id))
    const text = `contests: ${content.contests.length}, versions of agents: ${content.agents.length}`
    if (gone.length === 0) return { name, verdict: 'good', text }
    const ids = gone.map(({ id }) => id).join(', ')
    return {
      ...{ name, verdict: 'weak', text: `${text}; the histories of ${ids} are gone` },
      advice: `Put their folders back into ${join(data, 'contests')} from a backup.`,
    }
  } catch (error) {
    return { name, verdict: 'bad', text: error instanceof Error ? error.message : String(error) }
  }
}

const hasHistories = (data: string, contest: ContestId): boolean =>
  existsSync(join(contestFolder(data, contest), segmentName(1)))

async function space(data: string): Promise<DoctorFinding> {
  const name = 'free space'
  try {
    const { bavail, bsize } = await statfs(existing(data))
    const free = bavail * bsize
    const text = `${Math.round(free / megabyte)} MB beside the data folder`
    if (free >= little) return { name, verdict: 'good', text }
    return {
      name,
      verdict: free >= tooLittle ? 'weak' : 'bad',
      text,
      advice: 'Free some space, or choose another disk.',
    }
  } catch {
    return { name, verdict: 'weak', text: 'not reported by the system' }
  }
}

/** The path itself, or its nearest existing parent folder. */
function existing(path: string): string {
  const full = resolve(path)
  return existsSync(full) || dirname(full) === full ? full : existing(dirname(full))
}
