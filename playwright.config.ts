import { defineConfig } from '@playwright/test'

/** End to end: the built program, real folders, a real browser. A file at a time on each core; nothing is tried twice. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: '.cache/e2e',
  globalSetup: './test/build-first.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      // Playwright's own browser is not fetched: the system's will do.
      executablePath: '/usr/bin/chromium',
      // Chromium has no sandbox for root, and only tests run it without one.
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-gpu', '--disable-dev-shm-usage'],
    },
  },
})
