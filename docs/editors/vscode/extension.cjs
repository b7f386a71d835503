const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client = null

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration('tartaglia').get('command')
  const server = { command, args: [...args, 'language-server', '--stdio'] }
  const documentSelector = [{ language: 'challenge' }, { language: 'class-dictionary' }]
  client = new LanguageClient('tartaglia', 'Tartaglia', server, { documentSelector })
  return client.start()
}

exports.deactivate = () => client?.stop()
