import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { partsThat } from '../../../main/administrator/classroom/layout.ts'
import { closeAccounts, keepPassword, openAccounts } from '../../../main/administrator/people/accounts.ts'
import { beginSession } from '../../../main/administrator/people/sessions.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { importRoster, newCode } from '../../../main/services/people/class-people.ts'
import { tarEnd, tarFill, tarHeader } from '../../../main/services/packages/tar.ts'

/** Makes a class with people, an account, a session, a code of the class and a file in each part of its folder. */
export async function makeClass(data: string): Promise<void> {
  const home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.school = 'Algebra'))
  const accounts = openAccounts(home)
  await importRoster(accounts, Buffer.from('name\nAda Lovelace\n王小明\n'), hostCaller)
  const [ada] = home.content.people
  await newCode(accounts, ada!.id, hostCaller)
  keepPassword(accounts, ada!.id, 'scrypt$1$1$1$aa$bb')
  beginSession(accounts.people, { person: ada!.id, kind: 'browser', address: '', agent: 'Netscape 4' }, Date.now())
  accounts.people.database.exec(`INSERT INTO class_code (code, until) VALUES ('ABCD', 7)`)
  closeAccounts(accounts)
  await home.close()
  for (const name of partsThat('moment', 'taken')) {
    if (name.includes('.')) continue
    mkdirSync(join(data, name, 'deep'), { recursive: true })
    writeFileSync(join(data, name, 'deep', 'file.bin'), Buffer.alloc(name.length * 700, name))
  }
  writeFileSync(join(data, 'recovered.txt'), '')
}

/** The hash of each file below a folder, by path; `people.db` as its rows, since its bytes may differ. */
export function contentsOf(folder: string): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const taken = new Set(partsThat('moment', 'taken'))
  const add = (path: string): void => {
    const file = join(folder, path)
    if (statSync(file).isDirectory()) for (const name of readdirSync(file).sort()) add(join(path, name))
    else
      found[path] = path === 'people.db' ? rowsOf(file) : createHash('sha256').update(readFileSync(file)).digest('hex')
  }
  for (const name of readdirSync(folder).sort()) if (taken.has(name)) add(name)
  return found
}

/** The rows of each table of a database. */
export function rowsOf(file: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(file)
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all()
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM ${String(name)}`).all()]),
    )
  } finally {
    database.close()
  }
}

/** A file of an archive that is made by hand. */
export interface Member {
  readonly path: string
  readonly bytes: Uint8Array
  /** The type of its header; absent: a plain file. */
  readonly type?: string
}

/** A tar archive in gzip with these files as they are. */
export function packed(members: readonly Member[]): Buffer {
  const parts = members.flatMap(({ path, bytes, type }) => {
    const header = tarHeader(path, bytes.length, '600')
    if (type !== undefined) {
      header.write(type, 156)
      header.write('        ', 148)
      const sum = header.reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    }
    return [header, bytes, tarFill(bytes.length)]
  })
  return gzipSync(Buffer.concat([...parts, tarEnd]))
}
