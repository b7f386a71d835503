const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client = null

function activate() {
  const [command, ...args] = workspace.getConfiguration('tartaglia').get('command')
  const server = { command, args: [...args, 'language-server', '--stdio'] }
  const documentSelector = [{ language: 'challenge' }, { language: 'class-dictionary' }]
  client = new LanguageClient('tartaglia', 'Tartaglia', server, { documentSelector })
  return client.start()
}

function deactivate() {
  return client?.stop()
}

module.exports = { activate, deactivate }
