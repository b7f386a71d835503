import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

// Nothing that the program refuses stays without a word in the window.

const renderer = join(import.meta.dirname, '../../../renderer')
const files = readdirSync(renderer, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|svelte)$/.test(file.name))
  .map((file) => join(file.parentPath, file.name))

/** A value that says nothing about a failure. */
const NOTHING = String.raw`(?:undefined|null|false|true|0|\[\s*\]|\(\{\s*\}\)|\{\s*\}|''|\`\`|void 0|new (?:Map|Set)\(\))`
/** A handler that gives it, whatever it is called with. */
const HANDLER = String.raw`(?:async\s*)?(?:\(\s*\w*(?::\s*\w+)?\s*\)|\w+)\s*=>\s*${NOTHING}\s*,?\s*\)`
/** A rejection that ends in nothing: `.catch(() => [])`, `.then(done, () => undefined)`, or `catch {}` with comments at most. */
const SILENT = new RegExp(
  [
    String.raw`\.catch\(\s*${HANDLER}`,
    String.raw`,\s*(?:\/\/[^\n]*\s*)*${HANDLER}`,
    String.raw`\bcatch\s*(?:\([^)]*\)\s*)?\{\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*\}`,
  ].join('|'),
  'g',
)

/** The number of rejections in each file that may end in nothing, and why. */
const MAY: Readonly<Record<string, readonly [number, string]>> = {
  'connection/channel.ts': [1, 'an answer that does not come says that the page is locked out'],
  'connection/client.ts': [2, 'a lost connection is shown by the frame'],
  'frame/follow-caller.ts': [1, 'a lost connection is shown by the frame, and the next one asks again'],
  'games/named-text-field.svelte': [1, 'the field says that the file cannot be read'],
  'games/specker/play/background-search.ts': [1, 'the next search does not depend on the last one'],
  'games/specker/play/examples.svelte': [1, 'an example that cannot be drawn is left out'],
  'games/specker/play/draft.ts': [1, 'the openings stay in memory when the storage of the browser is full'],
  'main.ts': [1, 'the frame says that there is no connection, and the program refuses what it must'],
  'parts/text/code-view.svelte': [1, 'text that is not coloured stays plain'],
  'rules/rulebook-view.svelte': [1, 'the place in the rulebook is shown as far as it is loaded'],
  'screens/analysis/asking.svelte.ts': [1, 'a question that cannot be stopped is answered'],
  'screens/analysis/compare-versions.svelte': [1, 'a question that cannot be stopped is answered'],
  'screens/analysis/kept-queries.ts': [1, 'without local storage, no query is kept'],
  'screens/analysis/text-search.svelte': [1, 'a search that cannot be stopped is answered'],
  'screens/challenges/first-sample.ts': [1, 'a challenge without a picture has a blank one'],
  'screens/class/asked-home.ts': [1, 'the home itself says why it cannot be loaded'],
  'screens/class/asked-overview.ts': [1, 'the screen of the class says why it cannot be loaded'],
  'screens/class/loaded-parts.ts': [1, 'the part itself says why it cannot be loaded'],
  'screens/class/last-visit.ts': [1, 'without local storage, the news of the last week are shown'],
  'screens/hearings/unsent-texts.ts': [2, 'without storage of the session, texts stay in memory'],
  'screens/histories/file-list.svelte.ts': [1, 'the row says that the file is not a key'],
  'screens/histories/open-file.svelte': [2, 'the screen is being left, and the end of the upload says why it failed'],
  'screens/histories/verification.svelte': [1, 'the screen is being left'],
  'screens/histories/verify-all.svelte': [1, 'the screen is being left'],
  'screens/match/other-agent.svelte.ts': [1, 'the screen is being left'],
  'screens/evidence/run-again.svelte': [1, 'an agent that cannot be stopped answers'],
  'screens/match/prefetch-match.ts': [1, 'the match itself says why it cannot be opened'],
  'screens/match/stretches.ts': [1, 'the match itself says why its events cannot be read'],
  'screens/play/play.svelte': [1, 'the screen is being left'],
  'settings.svelte.ts': [2, 'without local storage, the theme comes with the settings'],
}

test.each([
  '.catch(() => [])',
  '.catch((error) => null)',
  '.catch((error: unknown) => ({}))',
  ".catch(\n  _ => '',\n)",
  '.catch(async () => {})',
  'catch {}',
  'catch (error) {\n  // It does not matter.\n}',
  '.then(\n  (all) => (taken = all),\n  // Later.\n  () => undefined,\n)',
])('%j is silent', (code) => {
  expect(code.match(SILENT)).toHaveLength(1)
})

test.each([
  '.catch((error) => show(error))',
  '.catch(nullIf("agent-unknown"))',
  'catch (error) {\n  problem = String(error)\n}',
  '.then((all) => null)',
])('%j is not', (code) => {
  expect(code.match(SILENT)).toBeNull()
})

test('no rejection of the window ends in nothing, but for those that nobody has asked for', () => {
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => {
    const count = [...readFileSync(file, 'utf8').matchAll(SILENT)].length
    return count === 0 ? [] : [[relative(renderer, file).replaceAll('\\', '/'), count] as const]
  })
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(MAY).map(([file, [n]]) => [file, n])))
})

/** Uses of messages in the corner of the window, for what has no place beside a button or form. */
const IN_THE_CORNER: Readonly<Record<string, readonly [number, string]>> = {
  'connection/client.ts': [1, 'a subscription'],
  'connection/resource.svelte.ts': [1, 'nobody has asked for it'],
  'frame/invite.svelte': [1, 'the clipboard, whose success is a message too'],
  'frame/network-dialog.svelte': [1, 'the clipboard, whose success is a message too'],
  'frame/notices.ts': [1, 'news of the program'],
  'frame/tour.svelte': [1, 'the tour is away'],
  'games/specker/event-detail.svelte': [1, 'the clipboard'],
  'parts/text/code-view.svelte': [1, 'the clipboard'],
  'screens/agents/hand-in.svelte': [2, 'news of the program'],
  'screens/analysis/own-query.svelte': [1, 'the clipboard'],
  'screens/components/component.svelte': [1, 'the clipboard'],
  'screens/contests/arena/arena-panel.svelte': [1, 'the clipboard'],
  'screens/contests/new/isolation-choice.svelte': [1, 'the clipboard'],
  'screens/contests/new/new-contest.svelte': [2, 'news of the program, and a contest whose own screen follows'],
  'screens/hearings/unsent-texts.svelte': [1, 'the clipboard'],
  'screens/histories/selected-match.svelte': [1, 'the clipboard'],
  'screens/match/live-match.svelte': [1, 'the picture of a match that goes on'],
  'screens/match/moment.ts': [1, 'the clipboard'],
  'screens/settings/settings.svelte': [1, 'the clipboard'],
  'screens/sources/sources.svelte': [1, 'the settings, which the screen shows only in part'],
  'seen-as.ts': [1, 'the window is shown anew, so that nothing is beside it'],
}

test('a refusal is shown beside what was asked for; messages in the corner are for the rest', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/^\s*import .*$|^export function .*$/gm, '')
    const count = [...text.matchAll(/\bshowFailure\b/g)].length
    return count === 0 ? [] : [[relative(renderer, file).replaceAll('\\', '/'), count] as const]
  })
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(IN_THE_CORNER).map(([file, [n]]) => [file, n])),
  )
})
