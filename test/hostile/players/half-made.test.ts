import { readdirSync, readFileSync } from 'node:fs'
import { kill } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startAgentProcess } from '../../../main/players/scripts/agent-process.ts'
import { createLauncher } from '../../../main/players/isolation/tiers.ts'
import { resources } from '../../../main/services/machine/resources.ts'

const launch = (await createLauncher('bubblewrap', resources.node, resources.agentHost))(128)

/** The descriptors that a process forked by bubblewrap inherits, until it runs the program in the box. */
const mark = { TARTAGLIA_HALF_MADE: String(process.pid) }

/** The ids of live processes that were started with this mark. A dead one has no environment. */
function marked(): readonly string[] {
  const entry = Object.entries(mark)[0]!.join('=')
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(entry)
    } catch {
      return false
    }
  })
}

test.skipIf('missing' in launch)(
  'a box that is killed at any moment of its making leaves nothing behind (needs bubblewrap)',
  async () => {
    if ('missing' in launch) return
    const whole = startAgentProcess({ ...launch, env: mark })
    await whole.started
    expect(marked()).toContain(String(whole.pid))
    whole.kill()
    for (let round = 0; round < 120; round++) {
      const agent = startAgentProcess({ ...launch, env: mark })
      await pause((round % 40) / 2)
      try {
        // From outside: the process that was started, alone.
        kill(agent.pid, 'SIGKILL')
      } catch {
        // It was quicker.
      }
      // Its pipes are held open by whatever is left of it.
      const end = agent.exited.then(() => 'its pipes are closed')
      const late = pause(10_000, `round ${round}: processes ${marked().join(' ')} hold its pipes`, { ref: false })
      expect(await Promise.race([end, late])).toBe('its pipes are closed')
    }
    await expect.poll(marked, { timeout: 10_000 }).toEqual([])
  },
)
