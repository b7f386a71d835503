import { kill } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startAgentProcess } from '../../../main/players/agent-process.ts'
import { createLauncher } from '../../../main/players/isolation/tiers.ts'
import { resources } from '../../../main/app/resources.ts'

const launch = (await createLauncher('bubblewrap', resources.node, resources.agentHost))(128)

test.skipIf('missing' in launch)(
  'a box that is killed at any moment of its making leaves nothing behind (needs bubblewrap)',
  async () => {
    if ('missing' in launch) return
    for (let round = 0; round < 120; round++) {
      const agent = startAgentProcess(launch)
      await pause((round % 40) / 2)
      try {
        // From outside: the process that was started, alone.
        kill(agent.pid, 'SIGKILL')
      } catch {
        // It was quicker.
      }
      // Its pipes are held open by whatever is left of it.
      expect(await agent.buried).toBeUndefined()
    }
  },
)
