import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'
import { manual } from './scripts/manual.ts'
import { rulebooks } from './scripts/rulebooks.ts'
import { waiting } from './test/waiting.ts'

const inTheWindow = 'test/unit/renderer/**/*.test.ts'
const everywhere = ['test/remove-folders.ts', 'test/patient.ts', 'test/cpu-seconds.ts']

/** Tests that change the process which they run in, or the modules that they import, and need one of their own. */
const unshared =
  /\bvi\.(mock|doMock|hoisted|stubGlobal|stubEnv)\(|\bprocess\.(chdir|umask|on)\(|\bprocess\.env\[[^\]]*\] =/

/** Rooms of unit tests that start processes or open sockets. The tests of the others are many and keep to themselves. */
const apart = ['arenas', 'cli', 'desktop', 'docs', 'players', 'renderer', 'scripts', 'worker']
/** Small tests run in one process for each core, as starting one takes longer than most of them. */
const sharing = globSync(['test/unit/*/**/*.test.ts', 'test/property/**/*.test.ts'], {
  cwd: import.meta.dirname,
  exclude: apart.map((room) => `test/unit/${room}/**`),
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !waiting.includes(file) && !unshared.test(readFileSync(join(import.meta.dirname, file), 'utf8')))

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [inTheWindow, ...sharing, ...waiting],
          globalSetup: ['test/build-first.ts'],
          setupFiles: everywhere,
        },
      },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          isolate: false,
          globalSetup: ['test/build-first.ts'],
          setupFiles: everywhere,
        },
      },
      {
        extends: true,
        test: {
          name: 'waiting',
          include: waiting,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/build-first.ts'],
          setupFiles: everywhere,
        },
      },
      {
        // Apart: the Svelte plugins resolve packages for a browser, which breaks those that Node needs (ws).
        extends: true,
        plugins: [
          manual(),
          rulebooks(),
          svelte({ configFile: false, compilerOptions: { runes: true } }),
          svelteTesting(),
        ],
        test: {
          name: 'dom',
          include: [inTheWindow],
          environment: 'jsdom',
          // A document costs more than most of the files: in threads of one process each core makes one, and files stay apart.
          pool: 'vmThreads',
          setupFiles: [...everywhere, 'test/unit/renderer/patient.ts'],
        },
      },
    ],
  },
})
