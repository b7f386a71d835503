import { openPlace, openRoom } from '../conformance/service/classroom.ts'
import { costOf, receiverIn, slowTexts } from '../hostile/portal/slow-texts.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** The longest computing of the main process in one turn while texts of strangers are read, beside how long reading them takes. */
export const readings: Bench = {
  name: 'readings',
  async measure() {
    const place = openPlace('bench-readings')
    const room = await openRoom(`${place.folder}/data`)
    try {
      const rows: Row[] = []
      for (const [name, send] of slowTexts) {
        const { turnMs, ms } = await costOf(() => send(receiverIn(room)))
        rows.push(
          rowOf(
            { name: `longest turn of main while ${name} is read`, value: turnMs, unit: 'ms' },
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
