import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { firstScreen, firstScreenChunks } from './scripts/first-screen.ts'
import { manual } from './scripts/manual.ts'
import { rulebooks } from './scripts/rulebooks.ts'

/** The window: static files that any host can serve below any path, under a policy without inline scripts or styles. */
export default defineConfig({
  root: fileURLToPath(new URL('renderer', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [manual(), rulebooks(), firstScreen(), svelte({ configFile: false, compilerOptions: { runes: true } })],
  build: {
    outDir: fileURLToPath(new URL('dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: ['chrome128', 'firefox128', 'safari18'],
    // Fonts and pictures stay files: `font-src 'self'` allows no data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The page for people without a session needs little of the window.
      input: ['index.html', 'sign-in.html'].map((name) => fileURLToPath(new URL(`renderer/${name}`, import.meta.url))),
      output: { codeSplitting: { groups: firstScreenChunks() } },
    },
  },
})
