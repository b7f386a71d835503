// `npm run check`: types, lint, formatting, import rules, nothing unused. Under a minute.
// `npm run check -- FILTER` runs the checks whose name contains FILTER, such as `types`.
import { runChecks } from './checks.mjs'
import { entry, setup } from './setup.mjs'

await entry(async () => {
  const filter = process.argv.slice(2).join(' ')
  const { passed, failed } = await runChecks(await setup(), { filter })
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
