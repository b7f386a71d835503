import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../docs/editors/vscode')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  main: string
  contributes: {
    languages: readonly { id: string; extensions: readonly string[]; configuration: string }[]
    grammars: readonly { language: string; scopeName: string; path: string }[]
    configuration: { properties: Readonly<Record<string, { default: unknown }>> }
  }
}

test('each file that the extension names is there, and grammars have the scopes of their files', () => {
  const { languages, grammars } = manifest.contributes
  const files = [manifest.main, ...languages.map(({ configuration }) => configuration)]
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  for (const { language, scopeName, path } of grammars) {
    expect(languages.map(({ id }) => id)).toContain(language)
    expect(JSON.parse(readFileSync(join(folder, path), 'utf8'))).toMatchObject({ scopeName })
  }
  expect(languages.flatMap(({ extensions }) => extensions)).toEqual(['.challenge', '.cd'])
})

// The editor itself is not here, so its two modules are stand-ins.
test('the extension starts the language server by the configured words, for both languages', () => {
  const made: unknown[][] = []
  const calls: string[] = []
  class LanguageClient {
    constructor(...args: unknown[]) {
      made.push(args)
    }
    start = (): void => void calls.push('start')
    stop = (): void => void calls.push('stop')
  }
  const command = manifest.contributes.configuration.properties['tartaglia.command']!.default
  const modules: Readonly<Record<string, object>> = {
    vscode: {
      workspace: { getConfiguration: (name: string) => ({ get: (key: string) => [name, key, command].at(-1) }) },
    },
    'vscode-languageclient/node': { LanguageClient },
  }
  const module = { exports: {} as { activate(): void; deactivate(): void } }
  runInNewContext(readFileSync(join(folder, manifest.main), 'utf8'), {
    module,
    require: (name: string) => modules[name],
  })
  module.exports.activate()
  module.exports.deactivate()
  expect(calls).toEqual(['start', 'stop'])
  const [[, , server, { documentSelector }]] = made as [
    [
      string,
      string,
      { command: string; args: readonly string[] },
      { documentSelector: readonly { language: string }[] },
    ],
  ]
  expect([server.command, ...server.args]).toEqual(['npx', 'tartaglia', 'language-server', '--stdio'])
  expect(documentSelector.map(({ language }) => language)).toEqual(['challenge', 'class-dictionary'])
})
