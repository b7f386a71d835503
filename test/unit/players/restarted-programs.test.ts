import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../main/contract/limits.ts'
import { createProgramHost, type ProgramHost } from '../../../main/players/program-player.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { openEar } from '../../hostile/players/ear.ts'

const program = `console.log('{"ready":true}')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify({ question: JSON.parse(line).question, actions: ['here'] }))
})`

test.skipIf(process.platform !== 'linux')(
  'a process a move is not ended by the search for what the one before it has left (needs /proc)',
  async () => {
    const host = createProgramHost({
      tier: 'none',
      nodeBinary: process.execPath,
      launcher: ({ env = {} }) => ({ file: process.execPath, args: ['-e', program], env }),
    })
    onTestFinished(() => host.close())
    const { emit, next } = openEar()
    const player = host.seat({
      program: { folder: '/', command: [], process: 'move' },
      seed: 'seed',
      wire: wire() as Parameters<ProgramHost['seat']>[0]['wire'],
      limits: limits.parse({ startMs: 60_000 }),
      emit,
    })
    onTestFinished(() => player.close())
    await player.ready()
    // The next process is started as soon as one has answered.
    for (const question of [1, 2, 3]) {
      player.ask(question, { type: 'turn' }, 60_000)
      expect(await next()).toMatchObject({ type: 'answer', to: question, value: { actions: ['here'] } })
    }
  },
)
