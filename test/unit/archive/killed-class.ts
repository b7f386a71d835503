import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClassToLookAt } from '../../../main/administrator/classroom/read-only-class.ts'
import { openAccounts } from '../../../main/administrator/people/accounts.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { inNewFolder } from '../../../main/services/archive/new-folder.ts'

// A program that is killed while a class is exported, looked at and made. Arguments: the class, a folder for a new one.

const [, , data = '', place = ''] = process.argv
const { handlers } = await openClassroom({ data, sample: false, workers: 1 })
await handlers['classes.export']({ recipient: null }, hostCaller)
openAccounts(await openClassToLookAt(data))
void inNewFolder(join(place, 'new'), async (growing) => {
  writeFileSync(join(growing, 'class.json'), 'Ada Lovelace')
  process.stdout.write('ready\n')
  await new Promise(() => setInterval(() => undefined, 1_000))
})
