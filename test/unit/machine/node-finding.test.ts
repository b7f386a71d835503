import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('node-finding')
const node = join(folder, 'node')
vi.mock(import('../../../main/services/machine/resources.ts'), async (original) => {
  const actual = await original()
  return { ...actual, resources: { ...actual.resources, node } }
})
const { examineMachine } = await import('../../../main/services/machine/doctor.ts')

test.skipIf(process.platform === 'win32')(
  'a Node that does not run is bad, and a library that it lacks is named (needs a shell)',
  async () => {
    const found = async (words: string) => {
      writeFileSync(node, `#!/bin/sh\necho "${words}" >&2\nexit 127\n`, { mode: 0o755 })
      return (await examineMachine(join(folder, 'data'), null)).find(({ name }) => name === 'node')
    }
    const loader = `${node}: error while loading shared libraries: libatomic.so.1: cannot open shared object file`
    const lacking = await found(loader)
    expect(lacking).toMatchObject({ verdict: 'bad', text: expect.stringContaining('libatomic.so.1') as string })
    expect(lacking?.advice).toContain('libatomic1')
    expect(await found('no')).toMatchObject({
      verdict: 'bad',
      advice: expect.not.stringContaining('libatomic') as string,
    })
  },
)
