import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

// Nothing that the program refuses stays without a word in the window.

const renderer = join(import.meta.dirname, '../../../renderer')
const files = readdirSync(renderer, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|svelte)$/.test(file.name))
  .map((file) => join(file.parentPath, file.name))

/** A rejection that ends in nothing. */
const SILENT =
  /\.(?:catch\(\(\) => (?:undefined|null|\{\s*\}|void 0)\)|then\([^)\n]*, \(\) => (?:undefined|null|\{\s*\})\))/g

/** The number of rejections in each file that may end in nothing, and why. */
const MAY: Readonly<Record<string, readonly [number, string]>> = {
  'connection/channel.ts': [1, 'an answer that does not come says that the page is locked out'],
  'connection/client.ts': [2, 'a lost connection is shown by the frame'],
  'games/named-text-field.svelte': [1, 'the field says that the file cannot be read'],
  'games/specker/play/background-search.ts': [1, 'the next search does not depend on the last one'],
  'games/specker/play/examples.svelte': [1, 'an example that cannot be drawn is left out'],
  'parts/code-view.svelte': [1, 'text that is not coloured stays plain'],
  'rules/rulebook-view.svelte': [1, 'the place in the rulebook is shown as far as it is loaded'],
  'screens/challenges/first-instance.ts': [1, 'a challenge without a picture has a blank one'],
  'screens/histories/open-file.svelte': [1, 'the screen is being left'],
  'screens/histories/verification.svelte': [1, 'the screen is being left'],
  'screens/histories/verify-all.svelte': [1, 'the screen is being left'],
  'screens/match/prefetch-match.ts': [1, 'the match itself says why it cannot be opened'],
  'screens/match/stretches.ts': [1, 'the match itself says why its events cannot be read'],
  'screens/play/play.svelte': [1, 'the screen is being left'],
}

test('no rejection of the window ends in nothing, but for those that nobody has asked for', () => {
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => {
    const count = [...readFileSync(file, 'utf8').matchAll(SILENT)].length
    return count === 0 ? [] : [[relative(renderer, file).replaceAll('\\', '/'), count] as const]
  })
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(MAY).map(([file, [n]]) => [file, n])))
})
