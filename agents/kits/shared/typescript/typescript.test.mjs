// An old Node would find no tests in .ts files and report success.
import assert from 'node:assert/strict'
import { test } from 'node:test'

test('this Node runs TypeScript', () => {
  const text = `Node ${process.version} does not run TypeScript, so agent.test.ts is not tested. Run "npm test" instead.`
  assert.ok(process.features.typescript, text)
})
