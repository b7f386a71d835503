/* Holds a pool whose agents compute for ever, and a program where the tier holds one; a test kills it. Arguments: the tier, the host file. */
import { argv, execPath, stdout } from 'node:process'
import { limits, isolationTier } from '../../../main/contract/limits.ts'
import { findOwnPids } from '../../../main/players/isolation/unboxed.ts'
import { findTools, isRoot } from '../../../main/players/isolation/runtime.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { createProgramHost, type ProgramHost } from '../../../main/players/program-player.ts'
import { descendants } from '../../../main/players/proc.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'

const tier = isolationTier.parse(argv[2])
const pool = createScriptPool({ tier, nodeBinary: execPath, hostFile: argv[3]!, warmMax: 2, recycleAfter: 10 })
const bounds = limits.parse({ moveMs: 3_600_000 })
for (const agent of ['a', 'b']) {
  const player = pool.seat({
    agent: agent.repeat(64),
    source: 'module.exports = () => { for (;;); }',
    adapter: '(exported) => exported',
    seed: agent,
    clock: 'real',
    limits: bounds,
    emit: (event) => {
      stdout.write(`${JSON.stringify(event)}\n`)
    },
  })
  await player.ready()
  player.ask(1, null, 3_600_000)
}
if (tier !== 'permission') {
  // Without a box, and processes of its own, it is main that ends the group of a worker that was killed.
  const ends = tier !== 'none' || (await findOwnPids({ tools: await findTools(), root: isRoot() })) !== null
  const child = ends ? 'sleep 600 &' : ''
  const player = createProgramHost({ tier, nodeBinary: execPath }).seat({
    program: { folder: '/usr', command: ['/bin/sh', '-c', `${child} while :; do :; done`], process: 'match' },
    seed: '',
    wire: wire() as Parameters<ProgramHost['seat']>[0]['wire'],
    limits: bounds,
    emit: (event) => {
      stdout.write(`${JSON.stringify(event)}\n`)
    },
  })
  await player.ready()
}
await pool.warm('c'.repeat(64), bounds)
stdout.write(`${JSON.stringify(descendants(process.pid).slice(1))}\n`)
setInterval(() => {}, 60_000)
