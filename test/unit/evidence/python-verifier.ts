import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const verifier = join(import.meta.dirname, '../../../main/services/evidence')

/** Why this machine cannot run the verifier; null: it can. */
export const noPython = spawnSync('python3', ['--version']).status === 0 ? null : 'needs python3'

/** Reads a list of folders, each a map of paths to base64, and prints the exit code for each. */
const driver = `
import base64, contextlib, io, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify
given = json.load(sys.stdin)
wanted = verify.given_key(given["key"]) if given["key"] else None
found, said = [], io.StringIO()
base = {path: base64.b64decode(text) for path, text in given["base"].items()}
for changes in given["folders"]:
    files = dict(base)
    for path, text in changes.items():
        if text is None:
            files.pop(path, None)
        else:
            files[path] = base64.b64decode(text)
    with contextlib.redirect_stdout(said):
        found.append(verify.check_all(files, wanted))
print(json.dumps({"codes": found, "said": said.getvalue()}))
`

/** The verdicts of the verifier in Python on a folder after each of these changes; `codes` are its exit codes. null: without the file. */
export function pythonVerdicts(
  base: ReadonlyMap<string, Uint8Array>,
  folders: readonly Readonly<Record<string, Uint8Array | null>>[],
  key = '',
): { readonly codes: readonly number[]; readonly said: string } {
  const packed = (bytes: Uint8Array | null): string | null =>
    bytes === null ? null : Buffer.from(bytes).toString('base64')
  const input = {
    key,
    base: Object.fromEntries([...base].map(([path, bytes]) => [path, packed(bytes)])),
    folders: folders.map((changes) =>
      Object.fromEntries(Object.entries(changes).map(([path, bytes]) => [path, packed(bytes)])),
    ),
  }
  const { status, stdout, stderr } = spawnSync('python3', ['-c', driver, verifier], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as { codes: number[]; said: string }
}

/** The exit code of the verifier in Python as a program of its own, whose output goes where only this encoding is shown. */
export function pythonExit(args: readonly string[], encoding: string): number | null {
  const env = { ...process.env, PYTHONIOENCODING: encoding, PYTHONDONTWRITEBYTECODE: '1' }
  return spawnSync('python3', [join(verifier, 'verify.py'), ...args], { env }).status
}
