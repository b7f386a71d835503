import { openPlace, openRoom } from '../conformance/service/classroom.ts'
import { costOf, slowTexts } from '../hostile/portal/slow-texts.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** How long the main process stands still while texts of strangers are read, beside how long reading them takes. */
export const readings: Bench = {
  name: 'readings',
  async measure() {
    const place = openPlace('bench-readings')
    const room = await openRoom(`${place.folder}/data`)
    try {
      const rows: Row[] = []
      for (const [name, send] of slowTexts) {
        const { pauseMs, ms } = await costOf(() => send(room))
        rows.push(
          rowOf(
            { name: `longest pause of main while ${name} is read`, value: pauseMs, unit: 'ms' },
            { name: 'the call', value: ms, unit: 'ms' },
            { of: 'value', below: 20 },
          ),
        )
      }
      return rows
    } finally {
      await room.service.close()
      place.remove()
    }
  },
}
