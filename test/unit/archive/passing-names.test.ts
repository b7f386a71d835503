import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('temporary folders with texts of a class have names that the next start finds after a kill', () => {
  const makers = readdirSync('main', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /mkdtemp(?:Sync)?\(join\(tmpdir\(\)/.test(readFileSync(join('main', name), 'utf8')))
    .map((name) => name.replaceAll('\\', '/'))
  // The others hold nothing of a class: a socket, a line for gdbserver, probes of the machine, and files that the caller has given.
  expect(makers.sort()).toEqual([
    'administrator/classroom/scratch.ts',
    'app/address-socket.ts',
    'players/isolation/self-test/program-attacks.ts',
    'players/isolation/self-test/self-test.ts',
    'players/isolation/self-test/system-call-attacks.ts',
    'services/agents/own-agent.ts',
    'services/contests/command/play-match.ts',
    'services/histories/given-histories.ts',
    'services/matches/replay/gdbserver-relay.ts',
  ])
})
