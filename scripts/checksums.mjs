// `npm run checksums`: writes release/SHA256SUMS, of the files in release/, as `sha256sum --check` reads it. An argument: another folder.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { entry, Plain, root } from './setup.mjs'

const SUMS = 'SHA256SUMS'

await entry(async () => {
  const folder = resolve(process.argv[2] ?? join(root, 'release'))
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && item.name !== SUMS)
    .map(({ name }) => name)
    .sort()
  if (names.length === 0) throw new Plain(`${folder} holds no file of a release.`)
  const lines = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(folder, SUMS), lines.join(''))
  console.log(join(folder, SUMS))
})
