import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { isolationTier, type IsolationTier } from '../../contract/limits.ts'
import { workerFolder } from '../../services/cluster/kept-token.ts'
import { addVerb, folderName, isolationOption, wholeNumber, type Context } from '../context.ts'
import { clusterToken, tokenHelp } from '../cluster-token.ts'
import { stoppable } from '../interrupt.ts'
import { showProgress } from '../progress.ts'
import { count } from '../text.ts'

interface WorkerOptions {
  readonly redis: string
  readonly token?: string
  readonly cores?: number
  readonly cache?: string
  readonly isolation?: IsolationTier
}

/** `tartaglia worker`: plays matches of contests that run on a cluster until stopped; exit code 0. */
export function addWorker(program: Command, context: Context): void {
  addVerb(
    program,
    'worker',
    'Play matches for contests that run on a cluster, until stopped',
    'tartaglia worker --redis redis://192.168.1.20 --token 4f1c93d0a7be5826d35e70c9818fab24',
  )
    .requiredOption('--redis <url>', 'the address of the Redis that the classroom uses')
    .option('--token <token>', tokenHelp)
    .option('--cores <number>', 'number of matches at a time (default: one per core)', wholeNumber)
    .option('--cache <folder>', 'where agents are kept (default: a folder beside the data folder)', folderName)
    .addOption(isolationOption(isolationTier.options).default(undefined, 'bubblewrap, whatever a contest says'))
    .action((options: WorkerOptions) => work(context, options))
}

async function work(context: Context, options: WorkerOptions): Promise<void> {
  const { terminal } = context
  const { redis, isolation } = options
  const cores = options.cores ?? availableParallelism()
  const progress = showProgress(terminal, 'matches')
  // Imported here because no other verb needs it.
  const { joinCluster } = await import('../../services/cluster/join-cluster.ts')
  try {
    const { played } = await stoppable(
      context,
      'Stopping: running matches are played by other workers. Press Ctrl-C again to quit at once.',
      (signal) => {
        let joined = false
        return joinCluster({
          ...{ url: redis, token: clusterToken(options.token), cores, signal },
          cache: options.cache ?? workerFolder(),
          ...(isolation === undefined ? {} : { isolation }),
          onNotice: (text) => progress.note(text),
          onProgress() {
            if (!joined) progress.note(`Joined: ${count(cores, 'match', 'matches')} at a time. Press Ctrl-C to leave.`)
            joined = true
          },
        })
      },
      (text) => progress.note(text),
    )
    terminal.output('worker', { played })
    terminal.print(`${count(played, 'match', 'matches')} played.`)
  } finally {
    progress.end()
  }
}
