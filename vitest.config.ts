import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'
import { rulebooks } from './scripts/rulebooks.ts'

const inTheWindow = 'test/unit/renderer/**/*.test.ts'

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
          exclude: [inTheWindow],
          globalSetup: ['test/build-first.ts'],
          setupFiles: ['test/patient.ts', 'test/cpu-seconds.ts'],
        },
      },
      {
        // Apart: the Svelte plugins resolve packages for a browser, which breaks those that Node needs (ws).
        extends: true,
        plugins: [rulebooks(), svelte({ configFile: false, compilerOptions: { runes: true } }), svelteTesting()],
        test: {
          name: 'dom',
          include: [inTheWindow],
          environment: 'jsdom',
          setupFiles: ['test/patient.ts', 'test/cpu-seconds.ts', 'test/unit/renderer/patient.ts'],
        },
      },
    ],
  },
})
