import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stagesOfContainerfile, wordsOf } from '../../containerfile.ts'
import { run } from '../cli/environment.ts'

const root = join(import.meta.dirname, '../../..')
const known = new Set('FROM WORKDIR COPY RUN USER ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '))
const stages = stagesOfContainerfile()
const last = stages.at(-1)!

test('every instruction of the Containerfile is one, and every script that it runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  for (const { name, rest } of stages.flat()) {
    expect([...known]).toContain(name)
    for (const [, script] of rest.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script)
  }
  expect(stages).toHaveLength(2)
})

test('the class runs as an ordinary user, on a volume that is theirs, and ends at the signal that it knows', () => {
  const names = last.map(({ name }) => name)
  const user = last.find(({ name }) => name === 'USER')?.rest ?? 'root'
  expect(user).not.toMatch(/^(root|0)\b/)
  // Nothing is installed by that user, and nothing runs as root after it.
  expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'))
  const volume = last.find(({ name }) => name === 'VOLUME')?.rest ?? '?'
  expect(last.find(({ name }) => name === 'ENV')?.rest).toContain(`TARTAGLIA_DATA=${volume}/`)
  expect(last.find(({ rest }) => rest.startsWith('useradd'))?.rest).toContain(`--owner=${user} --mode=0700 ${volume}`)
  expect(last.find(({ name }) => name === 'STOPSIGNAL')?.rest).toBe('SIGTERM')
})

test('its command has options that exist, and its health is asked at the port that it opens', async () => {
  const [program, command] = [wordsOf(last, 'ENTRYPOINT'), wordsOf(last, 'CMD')]
  expect(program).toEqual(['tartaglia'])
  const { stdout } = await run(command[0]!, '--help')
  for (const option of command.filter((word) => word.startsWith('--'))) expect(stdout).toContain(`${option} `)
  const port = command[command.indexOf('--metrics-port') + 1]!
  expect(wordsOf(last, 'HEALTHCHECK').join(' ')).toContain(`http://127.0.0.1:${port}/health`)
  // Images of the OCI format, which podman builds unless told otherwise, have no health check.
  const hosting = readFileSync(join(root, 'docs', 'hosting.md'), 'utf8')
  const builds = hosting.match(/podman build.*/g)!
  expect(builds[0]).toBe('podman build --format docker --tag tartaglia .')
  expect(builds.map((line) => line.replace(/ --build-arg \S+/, ''))).toEqual([builds[0], builds[0]])
})

test('a build gets no built files, installed packages or secrets of this folder', () => {
  const left = readFileSync(join(root, '.containerignore'), 'utf8').trimEnd().split('\n')
  const git = readFileSync(join(root, '.gitignore'), 'utf8').trimEnd().split('\n')
  expect(left).toContain('.git')
  for (const name of git) expect(left).toContain(name.replace(/\/$/, ''))
})
