import { PackageProblem, type PackageFile } from './files.ts'
import { gunzipped, readForeignTar } from './tar.ts'
import { refused } from './form.ts'
import { readZip } from './zip.ts'

/** The files of a zip with their contents. Throws ExpectedError 'usage' that says what is wrong with it. */
export function filesOfZip(fileName: string, content: Uint8Array): readonly PackageFile[] {
  const entries = readZip(content)
  if (entries instanceof PackageProblem) throw refused(entries.code, fileName, entries.why)
  const files = entries
    .filter(({ path }) => !isLitter(path))
    .map(({ path, size, read }): PackageFile => {
      const bytes = read(size)
      if (bytes instanceof PackageProblem) throw refused(bytes.code, fileName, `${path}: ${bytes.why}`)
      return { path, bytes }
    })
  return withoutCommonFolder(files)
}

/** Like `filesOfZip`, for a .tar.gz. */
export async function filesOfTarGz(fileName: string, content: Uint8Array): Promise<readonly PackageFile[]> {
  const archive = await gunzipped(content)
  const files = archive instanceof PackageProblem ? archive : await readForeignTar(archive)
  if (files instanceof PackageProblem) throw refused(files.code, fileName, files.why)
  return withoutCommonFolder(files.filter(({ path }) => !isLitter(path)))
}

/** Many tools put everything into one folder, or into nested folders. */
function withoutCommonFolder(files: readonly PackageFile[]): readonly PackageFile[] {
  const [first = ''] = files[0]?.path.split('/') ?? []
  if (files.length === 0 || !files.every(({ path }) => path.startsWith(`${first}/`))) return files
  return withoutCommonFolder(files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) })))
}

/** Files that operating systems add by themselves. */
function isLitter(path: string): boolean {
  return /(^|\/)(__MACOSX|\.DS_Store|Thumbs\.db|\._[^/]*)(\/|$)/.test(path)
}
