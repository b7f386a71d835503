import { describe, expect, test } from 'vitest'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import { agentManifest } from '../../../main/contract/players/agents.ts'
import {
  isAtLeast,
  lackingToolchains,
  offeredText,
  offeredToolchains,
  readOffered,
  toolchainOfCommand,
  toolchainsOf,
  versionIn,
  whyNotOffered,
} from '../../../main/contract/players/toolchains.ts'

test.each([
  ['v26.10.0', '26.10.0'],
  ['Python 3.11.2', '3.11.2'],
  ['javac 17.0.15', '17.0.15'],
  ['12.2.0\n', '12.2.0'],
  ['rustc 1.95.0 (59807616e 2026-04-14)', '1.95.0'],
  ['go version go1.19.8 linux/amd64', '1.19.8'],
  ['javac 21', '21'],
  ['javac 17.0.15.0.1', '17.0.15.0.1'],
  ['command not found', null],
])('the version in %j is %j', (printed, version) => {
  expect(versionIn(printed)).toBe(version)
})

test.each([
  ['3.11.2', '3.11', true],
  ['3.11.2', '3', true],
  ['3.11', '3.11.0', true],
  ['3.9', '3.11', false],
  ['3.11.2', '3.11.3', false],
  ['17.0.15', '21', false],
  ['26.10.0', '26.9.9', true],
])('%s does for %s: %s', (found, wanted, does) => {
  expect(isAtLeast(found, wanted)).toBe(does)
})

test.each([
  [['python3', 'agent.py'], 'python'],
  [['/usr/bin/python3.11', 'agent.py'], 'python'],
  [['g++-12', 'agent.cpp'], 'gcc'],
  [['java', '-jar', 'agent.jar'], 'jdk'],
  [['cargo', 'build'], 'rust'],
  [['go', 'build'], 'go'],
  [['./python3'], null],
  [['./go'], null],
  [['make'], null],
  [['sh', '-c', 'python3 agent.py'], null],
  [[], null],
])('the command %j needs %s', (command, name) => {
  expect(toolchainOfCommand(command)).toBe(name)
})

test('a program needs the toolchains of its commands, and those that it names besides', () => {
  expect(toolchainsOf({ build: ['make'], toolchains: ['gcc'], command: ['./agent'] })).toEqual(['gcc'])
  const commands = { cop: ['java', 'Cop'], robber: ['python3', 'robber.py'] }
  expect(toolchainsOf({ build: ['javac', 'Cop.java'], commands })).toEqual(['python', 'jdk'])
  expect(toolchainsOf({ command: ['./agent'] })).toEqual([])
})

test('a contest takes the programs whose toolchains it offers, and every agent that is not a program', () => {
  const offered = [{ name: 'python' as const }, { name: 'gcc' as const }]
  expect(whyNotOffered(offered, { kind: 'program', command: ['python3', 'a.py'] })).toBeNull()
  expect(whyNotOffered(offered, { kind: 'script' })).toBeNull()
  expect(whyNotOffered(offered, { kind: 'program', build: ['cargo', 'build'], command: ['./a'] })).toMatch(/Rust/)
  expect(whyNotOffered([], { kind: 'program', command: ['python3', 'a.py'] })).toMatch(/Python/)
})

test('a machine lacks toolchains that are missing or too old, and packages of Python', () => {
  const found = [
    { name: 'python' as const, version: '3.11.2', packages: ['numpy'] },
    { name: 'go' as const, version: '1.19.8' },
    { name: 'rust' as const, version: null },
  ]
  expect(lackingToolchains([{ name: 'python', version: '3.11', packages: ['numpy'] }, { name: 'go' }], found)).toEqual(
    [],
  )
  const wanted = [
    { name: 'python' as const, version: '3.12' },
    { name: 'rust' as const },
    { name: 'jdk' as const, version: '17' },
  ]
  const missing = lackingToolchains(wanted, found)
  expect(missing.map((each) => each.split(' ')[0])).toEqual(['Python', 'Rust', 'JDK'])
  expect(lackingToolchains([{ name: 'python', packages: ['numpy', 'scipy'] }], found)).toHaveLength(1)
})

test('offered toolchains are written in a line and read again', () => {
  const offered = [{ name: 'python' as const, version: '3.11', packages: ['numpy', 'scipy'] }, { name: 'go' as const }]
  expect(offeredText(offered)).toBe('python 3.11 (numpy scipy), go')
  expect(readOffered(offeredText(offered))).toEqual(offered)
  expect(readOffered(' Python 3.11(numpy  scipy) ,, GO ')).toEqual(offered)
  expect(readOffered('python 3.11 (numpy, scipy), go')).toEqual(offered)
  expect(readOffered(' ')).toEqual([])
  for (const wrong of ['perl', 'go go', 'go 1.x', 'go (numpy)', 'python (', 'go, go'])
    expect(typeof readOffered(wrong), wrong).toBe('string')
})

describe('what is written', () => {
  test.each([
    [[{ name: 'perl' }], false],
    [[{ name: 'go', version: '1.x' }], false],
    [[{ name: 'go', packages: ['numpy'] }], false],
    [[{ name: 'go' }, { name: 'go', version: '1.20' }], false],
    [[{ name: 'python', version: '3.11', packages: ['numpy'] }, { name: 'go' }], true],
  ])('%j: %s', (written, isRight) => {
    expect(offeredToolchains.safeParse(written).success).toBe(isRight)
  })

  test('a contest file may offer toolchains, and a script cannot name any', () => {
    const contest = {
      title: 'T',
      game: 'punter',
      format: { type: 'round-robin' },
      seed: 's',
      entrants: [{ name: 'a', agent: 'a.js' }],
    }
    expect(contestFile.safeParse({ ...contest, toolchains: [{ name: 'jdk' }] }).success).toBe(true)
    const script = { name: 'a', game: 'punter', kind: 'script', toolchains: ['gcc'] }
    expect(agentManifest.safeParse(script).success).toBe(false)
  })
})
