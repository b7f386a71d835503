import { expect, test } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { loadAgents } from '../../../main/services/packages/codes.ts'
import { prepareAgent } from '../../../main/services/packages/prepare.ts'
import { programOfRole, type ProgramCode } from '../../../main/worker/program-of-role.ts'
import { programHost, seatProgram } from '../../hostile/players/programs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { zip } from '../service/zip.ts'
import { failure } from '../../refusal.ts'

/** Answers each question with its role as an action. */
const program = (role: string): string => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { protocol, question } = JSON.parse(line)
    console.log(JSON.stringify({ protocol, question, actions: [${JSON.stringify(role)}] }))
  })`

test('one package plays each role with the program that it has for it', async () => {
  const data = temporaryFolder('roles')
  const host = programHost('none')
  const commands = { cop: ['node', 'cop.js'], robber: ['node', 'robber.js'] }
  const content = zip({
    'agent.json': JSON.stringify({ name: 'both', game: 'toy', kind: 'program', commands }),
    'cop.js': program('cop'),
    'robber.js': program('robber'),
  })
  const never = () => Promise.reject(new Error('nothing is built'))
  const prepared = await prepareAgent({ fileName: 'both.zip', content, game: 'toy', isolation: never })
  const { agent } = await storeAgent(data, prepared.agent)
  const description = contestDescription.parse({
    ...{ title: 'Roles', game: 'toy', format: { type: 'single' }, seed: 'x' },
    entrants: [{ name: 'both', agent }],
  })
  const agents = await loadAgents(data, description, [])
  try {
    const code = agents.codes.get(agent) as ProgramCode
    for (const role of ['cop', 'robber']) {
      const seated = await seatProgram(host, programOfRole(code, role))
      expect(await seated.ask()).toMatchObject({ type: 'answer', value: { actions: [role] } })
    }
    expect(() => programOfRole(code, 'judge')).toThrow(failure('command', 'judge'))
  } finally {
    await host.close()
    await agents.remove()
  }
})
