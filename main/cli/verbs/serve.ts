import { fstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { renderUnicodeCompact } from 'uqr'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import type { NetworkOptions } from '../../app/network.ts'
import type { ServedClassroom } from '../../app/serve.ts'
import type { OpenNetwork } from '../../contract/procedures/network.ts'
import type { ContestDetail } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { hostCaller } from '../../contract/people/caller.ts'
import { BACKUP_HOURS_MAX } from '../../contract/procedures/classroom.ts'
import { addVerb, dataOption, folderName, portNumber, wholeNumber, type Context } from '../context.ts'
import { stoppable } from '../interrupt.ts'
import { showProgress } from '../progress.ts'
import { standingsLines } from '../standings.ts'
import type { Terminal } from '../terminal.ts'
import { count, safeLine } from '../text.ts'

interface ServeOptions extends NetworkOptions {
  readonly data?: string
  readonly sample?: true
  readonly readOnly?: true
  readonly backups?: string
  readonly backupEvery?: number
  readonly metricsPort?: number
  readonly log?: string
}

/** `tartaglia serve`: serves the classroom to browsers on this machine, and of the network if told so, until stopped; exit code 0. */
export function addServe(program: Command, context: Context): void {
  addVerb(program, 'serve', 'Serve the classroom to browsers on this machine until stopped', 'tartaglia serve')
    .addOption(dataOption())
    .option(
      '--port <number>',
      'port on 127.0.0.1, or that of --host; 0: any free one (default: that of the last time, or 8443)',
      portNumber,
    )
    .option('--host <address>', 'open the class to the network, too, by HTTPS on this address; 0.0.0.0: on all')
    .option('--cert <file>', 'certificate (PEM) for --host (default: one that is made for the class)')
    .option('--key <file>', 'private key (PEM) of --cert')
    .option('--public-url <url>', 'open the class by a reverse proxy that browsers reach at this https:// address')
    .option('--trusted-proxy <address>', 'address, or network, from which that proxy connects')
    .option('--read-only', 'only look at the class, which may be open elsewhere; nothing is written in its folder')
    .option('--backups <folder>', 'copy the class into this folder by itself, daily unless set otherwise', folderName)
    .option('--backup-every <hours>', 'hours between these copies', wholeNumber)
    .option(
      '--metrics-port <number>',
      'show health and metrics for a monitoring program on this port of 127.0.0.1; 0: any free one',
      portNumber,
    )
    .option('--log <file>', 'append what happens to this file, a JSON object a line', folderName)
    .option('--sample', 'run the sample contest in this terminal first')
    .addHelpText('after', '\nFor a new address: Enter in its terminal, SIGUSR1, or "tartaglia address".')
    .action((options: ServeOptions) => serve(context, options))
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { terminal, environment } = context
  const data = options.data ?? defaultDataFolder()
  let show: (() => void) | null = null
  // Before anything else: Node answers a SIGUSR1 that nobody listens to with a debugger of this process, which holds the key.
  const requests = environment.onAddressRequest?.(() => show?.())
  try {
    await serveUntilStopped(context, options, data, (classroom) => {
      const network = classroom.network()
      // An address lets its reader in as the educator. The socket of a class that is only looked at does not exist.
      if (isJournal(environment) && !terminal.json && !options.readOnly) {
        const advice = `For an address run as this user: tartaglia address --data ${safeLine(resolve(data))}`
        show = () => terminal.note(advice)
        terminal.print(`The classroom is open at ${classroom.origin}`)
        if (network.isOpen) terminal.print(...networkLines(network))
        terminal.print('Addresses are not shown here, where others may read them.', advice)
        return
      }
      show = () => showAddress(terminal, classroom.newAddress(), data, 'another')
      showAddress(terminal, classroom.newAddress(), data, 'first', network.isOpen ? network : null)
      if (network.isOpen) terminal.print(...networkLines(network))
      if (options.readOnly) terminal.print('This class is open to look at. Nothing can be changed.')
      // Without a socket in the folder, "tartaglia address" does not find this process.
      const asked = options.readOnly ? 'Send SIGUSR1' : 'Run "tartaglia address"'
      const another = requests?.byEnter === true ? 'Press Enter' : asked
      terminal.print(
        `The address works once, within ${classroom.addressMinutes} minutes, for one browser on this machine.`,
        `${another} for another address, Ctrl-C to stop the classroom.`,
      )
    })
  } finally {
    requests?.stop()
  }
}

/** True: what is printed goes to the journal of systemd, which others may read, and which keeps it. */
function isJournal({ env, stdout }: Context['environment']): boolean {
  const fd = 'fd' in stdout && typeof stdout.fd === 'number' ? stdout.fd : null
  if (fd === null || env['JOURNAL_STREAM'] === undefined) return false
  const { dev, ino } = fstatSync(fd)
  return env['JOURNAL_STREAM'] === `${dev}:${ino}`
}

/** With --json the first address is the result, on stdout; others are notes, so that the output stays one object. */
export function showAddress(
  terminal: Pick<Terminal, 'json' | 'note' | 'output' | 'paint' | 'print'>,
  address: string,
  data: string,
  which: 'first' | 'another',
  network: OpenNetwork | null = null,
): void {
  if (which === 'first') terminal.output('serve', { address, data, ...(network && { network: factsOf(network) }) })
  else if (terminal.json) terminal.note(`The classroom is open at ${address}`)
  terminal.print(`The classroom is open at ${terminal.paint('bold', address)}`)
}

/** The facts for programs: a terminal that signs in keeps the fingerprint of the key. */
function factsOf({ addresses, by, fingerprint, keyFingerprint }: OpenNetwork): Omit<OpenNetwork, 'isOpen'> {
  return { addresses, by, fingerprint, keyFingerprint }
}

/** The address for students, large enough for a telephone's camera, and the fingerprint that they compare. */
export function networkLines({ addresses, by, fingerprint }: OpenNetwork): readonly string[] {
  const [first = '', ...others] = addresses
  const compare =
    by === 'class' && fingerprint !== null
      ? [
          'Browsers do not know its certificate and warn. Its SHA-256 fingerprint, which students compare before they go on:',
          `  ${(fingerprint.match(/.{1,4}/g) ?? []).join(' ')}`,
        ]
      : []
  return [
    '',
    `Open to the network at ${first}`,
    ...(others.length === 0 ? [] : [`  and at ${others.join(', ')}`]),
    ...compare,
    '',
    // With its border: cameras need the quiet zone.
    renderUnicodeCompact(first, { border: 2 }),
    '',
  ]
}

/** `onOpen`: called when the classroom is open to browsers, after the sample contest. */
async function serveUntilStopped(
  context: Context,
  options: ServeOptions,
  data: string,
  onOpen: (classroom: ServedClassroom) => void,
): Promise<void> {
  const { terminal, environment } = context
  // Imported here because it is large and no other verb needs it.
  const { serveClassroom } = await import('../../app/serve.ts')
  const { openingOf, proxyWarning } = await import('../../app/network.ts')
  const { openOperator } = await import('../../app/operator.ts')
  const opening = openingOf(options)
  const warning = proxyWarning(opening)
  if (warning !== null) terminal.note(warning)
  if (options.readOnly) refuseChanges(options, opening !== null)
  const { metricsPort, log } = options
  const operator = await openOperator({
    version: manifest.version,
    ...(metricsPort === undefined ? {} : { metricsPort }),
    ...(log === undefined ? {} : { log: resolve(log) }),
  })
  if (operator.origin !== null) terminal.note(`Health and metrics: ${operator.origin}/health and /metrics`)
  const onUnexpected = (error: unknown, doing: string): void => {
    operator.unexpected(error, doing)
    terminal.note(`${doing}: unexpected error: ${error instanceof Error ? error.message : String(error)}`)
    if (environment.env['TARTAGLIA_DEBUG'] === '1' && error instanceof Error)
      environment.stderr.write(`${error.stack}\n`)
  }
  const stopping = 'Stopping: running contests resume at the next start. Press Ctrl-C again to quit at once.'
  const served = stoppable(context, stopping, async (signal) => {
    signal.addEventListener('abort', () => operator.stopping(), { once: true })
    const say = (event: 'backup' | 'recovery' | 'recurring') => (sentence: string) => {
      operator.said(event, sentence)
      terminal.note(sentence)
    }
    const classroom = await serveClassroom({
      data,
      port: opening === null ? (options.port ?? null) : null,
      opening,
      isReadOnly: options.readOnly === true,
      onUnexpected,
      onContest: (contest, state) => operator.contest(contest, state),
      onRecurring: say('recurring'),
      onRecovery: say('recovery'),
      onBackup: say('backup'),
    })
    try {
      const network = classroom.network()
      const origins = [classroom.origin, ...(network.isOpen ? network.addresses : [])].join(' ')
      if (!signal.aborted) operator.opened({ data: resolve(data), origins }, () => classroom.figures())
      await setBackups(classroom, options)
      if (options.sample) await showSample(terminal, classroom, data, signal)
      if (signal.aborted) return
      onOpen(classroom)
      await aborted(signal)
    } finally {
      await classroom.close()
    }
  })
  await served.then(
    () => operator.close(),
    async (error: unknown) => {
      await operator.close(error instanceof Error ? error.message : String(error))
      throw error
    },
  )
}

/** Throws ExpectedError for options that write in the folder. */
function refuseChanges({ sample, backups, backupEvery }: ServeOptions, isForNetwork: boolean): void {
  const copies = backups !== undefined ? '--backups' : backupEvery !== undefined ? '--backup-every' : null
  const option = sample ? '--sample' : isForNetwork ? 'an address of the network' : copies
  if (option === null) return
  throw new ExpectedError(
    'usage',
    'options-conflict',
    `--read-only excludes ${option}: a class that is open to look at is not written to, and is shown on this machine alone.`,
  )
}

/** Keeps the options as settings of the class. */
async function setBackups({ service }: ServedClassroom, { backups, backupEvery }: ServeOptions): Promise<void> {
  if (backups === undefined && backupEvery === undefined) return
  const { backups: kept } = await service.handlers['settings.get']({}, hostCaller)
  const folder = backups === undefined ? kept.folder : resolve(backups)
  const everyHours = backupEvery ?? (kept.everyHours === 0 ? DAY_HOURS : kept.everyHours)
  if (everyHours > BACKUP_HOURS_MAX)
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `--backup-every ${everyHours} is more than a week, ${BACKUP_HOURS_MAX} hours.`,
    )
  await service.handlers['settings.set']({ backups: { folder, everyHours } }, hostCaller)
}

const DAY_HOURS = 24

/** Runs the sample contest: shows its progress, then its standings. */
async function showSample(
  terminal: Terminal,
  { service }: ServedClassroom,
  data: string,
  signal: AbortSignal,
): Promise<void> {
  const { playSample } = await import('../../app/serve.ts')
  const progress = showProgress(terminal, 'matches')
  const detail = await playSample(service, signal, (state) => progress.update(state)).finally(() => progress.end())
  if (detail !== null) {
    const histories = join(data, 'contests', detail.summary.contest)
    terminal.print(
      ...sampleLines(terminal, detail),
      `Histories: ${safeLine(histories)}`,
      `Data folder: ${safeLine(data)}`,
      '',
    )
  }
}

function sampleLines(terminal: Terminal, detail: ContestDetail): readonly string[] {
  const { summary, reveal, isolation, standings, countColumns, voided, notices } = detail
  const { done, total } = summary.progress
  const seed = reveal.seed === null ? '' : `seed "${safeLine(reveal.seed)}", `
  const void_ = voided.length === 0 ? '' : `, ${voided.length} void through no fault of an agent`
  return [
    `${terminal.paint('bold', safeLine(summary.title))} (${summary.contest}), ${seed}isolation ${isolation ?? 'not known yet'}`,
    '',
    ...standingsLines(terminal, standings, countColumns),
    '',
    ...notices.map(safeLine),
    `${count(done, 'match', 'matches')} of ${total} played${void_}.`,
  ]
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
