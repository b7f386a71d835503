import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** The certificate and its authority in PEM, and the authority's file. */
export interface Certified {
  readonly key: string
  readonly cert: string
}

/** An authority of one's own, as a school has it, in a folder. */
export interface Authority {
  /** Its certificate. */
  readonly file: string
  /** Certifies `names`, such as `DNS:localhost` and `IP:127.0.0.1`, for a number of days; negative: expired. */
  certify(name: string, names: readonly string[], days?: number): Certified
}

export function makeAuthority(folder: string): Authority {
  const path = (name: string): string => join(folder, name)
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=A school')
  return {
    file: path('ca.pem'),
    certify(name, names, days = 30) {
      openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
      writeFileSync(path(`${name}.ext`), `subjectAltName=${names.join(',')}\n`)
      const from = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`]
      openssl('x509', '-req', '-in', `${name}.csr`, ...from, '-days', String(days), '-out', `${name}.pem`)
      return { key: readFileSync(path(`${name}.key`), 'utf8'), cert: readFileSync(path(`${name}.pem`), 'utf8') }
    },
  }
}
