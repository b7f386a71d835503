import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { rulebooks } from './scripts/rulebooks.ts'
import { viewersOnly } from './scripts/viewers-only.ts'

/** The script and the style of the page of a recorded match, with all that they need in them. */
export default defineConfig({
  root: fileURLToPath(new URL('renderer', import.meta.url)),
  publicDir: false,
  plugins: [viewersOnly(), rulebooks(), svelte({ configFile: false, compilerOptions: { runes: true } })],
  build: {
    target: ['chrome128', 'firefox128', 'safari18'],
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('renderer/replay/main.ts', import.meta.url)),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
