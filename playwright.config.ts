import { defineConfig } from '@playwright/test'
import { chromium, launching } from './test/e2e/browser.ts'

/** End to end: the built program, real folders, a real browser. A file at a time on each core; nothing is tried twice. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: '.cache/e2e',
  globalSetup: './test/build-first.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    browserName: 'chromium',
    actionTimeout: 120_000,
    launchOptions: launching(chromium),
    viewport: { width: 1280, height: 800 },
    // Every frame of an animation is drawn by the processor here.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
