import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resources } from '../../main/services/machine/resources.ts'
import type { IsolationTier } from '../../main/contract/limits.ts'
import type { PlayerEvent } from '../../main/contract/players/player.ts'
import { createProgramHost } from '../../main/players/program-player.ts'
import { wire } from '../../main/referees/specker/language/wire.ts'
import { boundaries, type Echo } from './echo-script.ts'

/** A Node program that answers each question of the Specker wire with no action. */
const ANSWERING = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write('{"question":' + JSON.parse(line).question + ',"actions":[]}\\n')
})`

/** Programs, each in a process of its own. */
export interface EchoPrograms {
  /** Starts one, as a match does; resolves when it can be asked. */
  start(): Promise<Echo>
  end(): Promise<void>
}

/** `folder`: where the program is written. */
export async function echoPrograms(tier: IsolationTier, folder: string): Promise<EchoPrograms> {
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'agent.cjs'), ANSWERING)
  const host = createProgramHost({ tier, nodeBinary: resources.node })
  const command = tier === 'bubblewrap' ? ['node', 'agent.cjs'] : [resources.node, 'agent.cjs']
  return {
    async start() {
      let heard: (event: PlayerEvent) => void = () => undefined
      let questions = 0
      const player = host.seat({
        program: { folder, command, process: 'match' },
        seed: 'bench',
        wire: wire() as Parameters<typeof host.seat>[0]['wire'],
        limits: boundaries,
        emit: (event) => heard(event),
      })
      await player.ready()
      return {
        ask(message) {
          return new Promise((resolve, reject) => {
            heard = (event) =>
              event.type === 'answer' ? resolve() : reject(new Error(`the program gave a ${event.type}`))
            player.ask(++questions, { type: 'turn', values: [...message] }, 60_000)
          })
        },
        close: () => player.close(),
      }
    },
    end: () => host.close(),
  }
}
