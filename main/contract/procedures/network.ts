import * as z from 'zod'
import { nothing, procedure } from './procedure.ts'

/** The class as other machines reach it. */
export interface OpenNetwork {
  readonly isOpen: true
  /** Its addresses, such as `https://192.0.2.7:8443`: the one for students first. */
  readonly addresses: readonly string[]
  /**
   * `class`: HTTPS with a certificate that was made for the class, which browsers do not know. `own`: HTTPS with the educator's
   * certificate. `proxy`: HTTPS by a reverse proxy.
   */
  readonly by: 'class' | 'own' | 'proxy'
  /** SHA-256 of the certificate, as browsers show it, in hex; null: the proxy has it. */
  readonly fingerprint: string | null
  /** SHA-256 of its public key, which stays when the certificate of the class is made again. */
  readonly keyFingerprint: string | null
}

/** `last`: as it was opened the last time, as long as the program runs; null: it was not. */
export type NetworkState = OpenNetwork | { readonly isOpen: false; readonly last: Place | null }

/** An address of this machine on which the class can be opened. */
export interface NetworkInterface {
  /** Such as `eth0`. */
  readonly name: string
  readonly host: string
}

const place = z.strictObject({ host: z.string().min(1).max(253), port: z.int().min(0).max(65_535) })
export type Place = z.infer<typeof place>

/** The port for students unless another one is chosen. */
export const NETWORK_PORT = 8443

export const networkProcedures = {
  'network.state': procedure<z.infer<typeof nothing>, NetworkState>(nothing),
  /** The addresses of this machine, those of version 4 first. */
  'network.interfaces': procedure<z.infer<typeof nothing>, readonly NetworkInterface[]>(nothing),
  /**
   * Opens the class to other machines, until it is closed or the program ends. `host`: an address of this machine, or `0.0.0.0` or
   * `::` for all of them. Refused if it is open already, or if the address or the port cannot be had.
   */
  'network.open': procedure<Place, NetworkState>(place),
  /** Closes it: all sessions but those at this machine end. No effect if it is closed. */
  'network.close': procedure<z.infer<typeof nothing>, NetworkState>(nothing),
}
