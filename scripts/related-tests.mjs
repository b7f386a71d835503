// Prints, as JSON, the test files that reach one of the source files in its arguments by imports. For Node 26.
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from './setup.mjs'

const related = process.argv.slice(2).map((file) => resolve(root, file))
const vitest = await createVitest('test', { root, related, watch: false, reporters: [] })
try {
  const found = await vitest.getRelevantTestSpecifications()
  process.stdout.write(JSON.stringify(found.map(({ moduleId }) => relative(root, moduleId).split('\\').join('/'))))
} finally {
  await vitest.close()
}
