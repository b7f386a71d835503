/*
 * A host without protection: it runs hostile code with access to Node's `process`, as if the realm had been left.
 * Started in place of the agent host, it shows what the box around the realm prevents by itself.
 */

/** The targets of the probe's attacks. */
export interface ProbeTargets {
  /** A TCP port of this machine, on 127.0.0.1, that accepts connections. */
  readonly port: number
  /** Processes that must not be signalled: the one that runs this test, and a sibling of the probe. */
  readonly parent: number
  readonly sibling: number
  /** A file that exists. */
  readonly file: string
  /** A file in the folder for shared memory. */
  readonly shared: string
}

/** For each attempt: null if it failed, otherwise what it obtained. */
export interface ProbeResults {
  readonly readFile: string | null
  readonly writeFile: string | null
  readonly startProgram: string | null
  readonly startThread: string | null
  readonly connect: string | null
  readonly signalParent: string | null
  readonly signalSibling: string | null
  readonly environment: string | null
  readonly sharedMemory: string | null
  readonly processes: string | null
}

/**
 * The text of the probe's host file. It speaks the protocol of inside/host.ts and answers a question with ProbeResults.
 */
export const probeHost = (): string => `'use strict';(${probe.toString()})()\n`

/** Runs elsewhere from its text, so it must not use anything else in this file. */
function probe(): void {
  const module = process.getBuiltinModule
  const fs = module('node:fs')

  const attempt = (what: () => string | null): string | null => {
    try {
      return what()
    } catch {
      return null
    }
  }

  const signal = (pid: number): string | null =>
    attempt(() => {
      process.kill(pid, 0)
      return `process ${pid} can be signalled`
    })

  const connect = (port: number): Promise<string | null> =>
    new Promise((resolve) => {
      try {
        const socket = module('node:net').connect(port, '127.0.0.1')
        socket.on('connect', () => {
          resolve('a connection to 127.0.0.1')
        })
        socket.on('error', () => {
          resolve(null)
        })
      } catch {
        resolve(null)
      }
    })

  const run = async (targets: ProbeTargets): Promise<ProbeResults> => ({
    readFile: attempt(() => fs.readFileSync(targets.file, 'latin1').slice(0, 40)),
    writeFile: attempt(() => {
      const path = `/tmp/tartaglia-probe-${process.pid}`
      fs.writeFileSync(path, 'x')
      fs.rmSync(path)
      return path
    }),
    startProgram: attempt(() => {
      const { error, pid } = module('node:child_process').spawnSync(process.execPath, ['--version'])
      return error === undefined ? `process ${pid}` : null
    }),
    startThread: attempt(() => {
      const { Worker } = module('node:worker_threads')
      const worker = new Worker('0', { eval: true })
      worker.on('error', () => {})
      return `thread ${worker.threadId}`
    }),
    connect: await connect(targets.port),
    signalParent: signal(targets.parent),
    signalSibling: signal(targets.sibling),
    // bubblewrap sets PWD to a folder of its own.
    environment:
      Object.keys(process.env)
        .filter((name) => name !== 'PWD')
        .join(' ') || null,
    sharedMemory: attempt(() => fs.readFileSync(targets.shared, 'latin1')),
    processes: attempt(() => {
      const others = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
      return others.length > 3 ? `${others.length} processes` : null
    }),
  })

  const send = (frame: string): void => {
    process.stdout.write(`${frame}\n`)
  }
  let text = ''
  process.on('uncaughtException', () => {})
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const frame = text.slice(0, end)
      text = text.slice(end + 1)
      const space = frame.indexOf(' ')
      if (frame[0] === 'O') send('R1 null')
      if (frame[0] === 'Z') send('I0 null')
      if (frame[0] !== 'Q') continue
      void run(JSON.parse(frame.slice(space + 1)) as ProbeTargets).then((results) => {
        send(`A${frame.slice(1, space)} ${JSON.stringify(results)}`)
      })
    }
  })
  send('H0 null')
}
