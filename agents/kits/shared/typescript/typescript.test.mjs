// An old Node finds no test in a .ts file, and would say that all is well.
import assert from 'node:assert/strict'
import { test } from 'node:test'

test('this Node runs TypeScript', () => {
  const text = `Node ${process.version} does not run TypeScript, so agent.test.ts is not tested. Run "npm test" in its place.`
  assert.ok(process.features.typescript, text)
})
