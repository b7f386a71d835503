import { expect, test } from 'vitest'
import { prepareAgent } from '../../../main/services/packages/prepare.ts'
import { zip } from '../../conformance/service/zip.ts'
import { refusal } from '../../refusal.ts'

test.skipIf(process.getuid?.() !== 0)("a build of root's without a box is nobody (needs root)", async () => {
  const build = (text: string): Promise<unknown> => {
    const manifest = { name: 'mine', game: 'specker', kind: 'program', command: ['./made'], build: ['sh', 'build.sh'] }
    const content = zip({ 'agent.json': JSON.stringify(manifest), 'build.sh': text })
    const isolation = (): Promise<'none'> => Promise.resolve('none')
    return prepareAgent({ fileName: 'mine.zip', content, game: 'specker', isolation })
  }
  await expect(build('id -u >&2; exit 3')).rejects.toThrow(refusal('build-failed', 3, 65534))
  await expect(build('cat /etc/shadow')).rejects.toThrow(refusal('build-failed', '/etc/shadow', 'Permission denied'))
})
