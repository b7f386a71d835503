import process from 'node:process'
import { expect, test } from 'vitest'
import { runJob } from '../../../main/players/isolation/boxed-job.ts'
import { noGroups } from '../../../main/players/isolation/groups/none.ts'
import { reportGroups, type ReaderMessage } from '../../../main/services/machine/reading.ts'

test.skipIf(process.platform === 'win32')(
  'a reading process reports the group of a build, and can end it',
  async () => {
    const reports: ReaderMessage[] = []
    const endGroups = reportGroups((message) => void reports.push(message))
    const launch = { file: '/bin/sh', args: ['-c', 'sleep 100 & wait'] }
    const bounds = { boxed: false, seconds: 60, memoryMb: 500, outputBytes: 1_000 }
    const building = runJob({ ...bounds, launch, groups: noGroups('not needed', undefined) })
    endGroups()
    expect(await building).toMatchObject({ ok: false })
    const [started] = reports
    expect(reports).toMatchObject([
      { type: 'group', alive: true },
      { ...started, alive: false },
    ])
  },
)
