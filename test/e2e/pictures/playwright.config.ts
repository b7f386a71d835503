import { defineConfig } from '@playwright/test'

/** `npm run pictures`: every screen in its states into .cache/pictures. Apart from the tests: what it makes is to be looked at. */
export default defineConfig({
  testDir: '.',
  testMatch: 'pictures.ts',
  outputDir: '../../../.cache/pictures-output',
  globalSetup: '../../build-first.ts',
  reporter: 'line',
  workers: 1,
  retries: 0,
  // The first one makes its classes.
  timeout: 600_000,
  expect: { timeout: 30_000 },
})
