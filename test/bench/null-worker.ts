/** A worker process that plays matches of the toy, whose players are functions in it: what is left is the engine. */
import { toyWorker } from '../unit/contests/format-toy.ts'
import { commandsOf, type Commands, type WorkerCommand, type WorkerReport } from '../../main/worker/protocol.ts'

const worker = toyWorker()
let gathered: WorkerReport[] = []
worker.onReport((report) => {
  if (gathered.push(report) > 1) return
  // As match workers do.
  setImmediate(() => {
    process.send?.({ type: 'reports', reports: gathered })
    gathered = []
  })
})
process.on('message', (message: WorkerCommand | Commands) => {
  for (const command of commandsOf(message)) worker.send(command)
})
process.on('disconnect', () => process.exit(0))
