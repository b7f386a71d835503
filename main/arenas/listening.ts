import { ExpectedError } from '../contract/expected-error.ts'

/** Host and port as an address has them. */
export function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Why a port cannot be had, in words; what is no such thing comes back as it is. */
export function listenProblem(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ExpectedError('host', `Port ${port} is in use by another program: choose another one.`)
  if (code === 'EACCES')
    return new ExpectedError('host', `Port ${port} is reserved for the system: choose one from 1024 on.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ExpectedError('usage', `${host} is no address of this machine.`)
  return error
}
