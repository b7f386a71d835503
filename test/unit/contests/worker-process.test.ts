import { expect, onTestFinished, test } from 'vitest'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { commandsOf } from '../../../main/worker/protocol.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const place = join(import.meta.dirname, '../../../main/services/machine/worker-process.ts')

/** A worker whose channel is closed some time after it was killed, because a process of its own has it too. */
const worker = `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 300)'], { stdio: ['ignore', 'ignore', 'ignore', process.channel.fd] })
  process.on('message', () => process.send({ type: 'interrupted', run: 1, reason: '' }))
  process.send({ type: 'ready' })
`
/** A program that waits for nothing but its worker's end. */
const program = (script: string): string => `
  import { launchWorker } from ${JSON.stringify(place)}
  const worker = launchWorker(process.execPath, ${JSON.stringify(script)})
  worker.onReport(({ type }) => {
    if (type === 'ready') worker.send({ type: 'agent', agent: '', code: 'x'.repeat(5_000_000) })
    else worker.kill()
  })
  console.log(await new Promise((resolve) => worker.onExit(resolve)))
`

test('the end of a worker that was given much is heard, even where nothing else goes on', async () => {
  const folder = temporaryFolder('worker')
  const script = join(folder, 'worker.cjs')
  writeFileSync(script, worker)
  writeFileSync(join(folder, 'program.mts'), program(script))
  const child = spawn(process.execPath, [join(folder, 'program.mts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  expect({ code, said }).toEqual({ code: 0, said: 'signal SIGKILL\n' })
})

test('a worker that has ended before anybody asks, or could not be started, is told of all the same', async () => {
  const heard = (node: string): Promise<string> => {
    const worker = launchWorker(node, '/nowhere')
    return new Promise((resolve) => worker.onExit(() => worker.onExit((how) => resolve(how))))
  }
  expect(await heard(process.execPath)).toBe('exit code 1')
  expect(await heard('/no/such/program')).toContain('ENOENT')
})

test('commands of one turn arrive in order as one message, and those of different turns as several', async () => {
  const script = join(temporaryFolder('worker'), 'worker.cjs')
  // It reports each message that it gets.
  writeFileSync(
    script,
    `process.on('message', (message) => process.send(message)).on('disconnect', () => process.exit())`,
  )
  const worker = launchWorker<unknown, { readonly number: number }>(process.execPath, script)
  onTestFinished(() => void worker.kill())
  const messages: unknown[] = []
  const arrived = Promise.withResolvers<undefined>()
  worker.onReport((message) => {
    if (messages.push(message) === 3) arrived.resolve(undefined)
  })
  for (const number of [1, 2, 3]) worker.send({ number })
  await new Promise((resolve) => setImmediate(resolve))
  worker.send({ number: 4 })
  await new Promise((resolve) => setImmediate(resolve))
  for (const number of [5, 6]) worker.send({ number })
  await arrived.promise
  const turns = messages.map((message) =>
    commandsOf(message as { readonly number: number }).map(({ number }) => number),
  )
  expect(turns).toEqual([[1, 2, 3], [4], [5, 6]])
})

test('a worker for which a command cannot be copied is ended, and whoever waits for it hears why', async () => {
  const script = join(temporaryFolder('worker'), 'worker.cjs')
  writeFileSync(script, `process.on('message', () => undefined)`)
  const worker = launchWorker<unknown, object>(process.execPath, script)
  onTestFinished(() => void worker.kill())
  const ended = new Promise<string>((resolve) => worker.onExit(resolve))
  worker.send({ number: 1 })
  worker.send({ question: () => 2 })
  expect(await ended).toMatch(/could not be cloned/)
})
