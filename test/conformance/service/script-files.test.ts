import { readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { storeAgent, storedAgentFile } from '../../../main/administrator/classroom/agents.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { loadAgents } from '../../../main/services/packages/codes.ts'
import type { ScriptFile } from '../../../main/worker/protocol.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('workers get the file of a script instead of its text, and refuse a file that was changed', async () => {
  const data = temporaryFolder('script-files')
  const { agent } = await storeAgent(data, { kind: 'script', bytes: Buffer.from('module.exports = {}') })
  const { codes } = await loadAgents(data, { entrants: [{ name: 'anna', agent }] }, [])
  const code = codes.get(agent) as ScriptFile
  expect(isAbsolute(code.script)).toBe(true)
  expect(readFileSync(code.script, 'utf8')).toBe('module.exports = {}')

  const endOf = async (): Promise<string> => {
    const worker = launchWorker(resources.node, resources.worker)
    const ended = new Promise<string>((resolve) => worker.onExit((how, stderr) => resolve(`${how}: ${stderr}`)))
    worker.send({ type: 'agent', agent, code })
    // Answered when the agent has been taken.
    worker.send({ type: 'verify', file: `${data}/none.jsonl`, key: null })
    worker.onReport(() => worker.kill())
    return ended
  }
  expect(await endOf()).toContain('SIGKILL')
  writeFileSync(storedAgentFile(data, agent, 'script'), 'module.exports = 1 ')
  expect(await endOf()).toContain('was changed after it was handed in')
  await expect(loadAgents(data, { entrants: [{ name: 'anna', agent }] }, [])).rejects.toThrow('was changed')
}, 60_000)
