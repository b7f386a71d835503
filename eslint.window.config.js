import { defineConfig } from 'eslint/config'
import config from './eslint.config.js'

/** The rules of eslint.config.js for the window, those that need types among them: a part of `npm test`. */
export default defineConfig(
  config.filter(({ name }) => !name?.startsWith('the window without types')),
  {
    files: ['**/*.ts', '**/*.svelte'],
    // Only here: where there are others than its own, the linter keeps no program from file to file.
    languageOptions: { parserOptions: { extraFileExtensions: ['.svelte'] } },
  },
)
