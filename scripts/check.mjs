// `npm run check`: types, lint, formatting, import rules, nothing unused. Under a minute.
import { runChecks } from './checks.mjs'
import { entry, setup } from './setup.mjs'

await entry(async () => {
  const { passed, failed } = await runChecks(await setup())
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
