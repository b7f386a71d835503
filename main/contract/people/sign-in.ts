import * as z from 'zod'
import { personName } from './people.ts'

/** The maximum of a sign-in's JSON, in bytes. */
export const SIGN_IN_BYTES_MAX = 2_048

const typed = z.string().min(1).max(200)

/** `POST /sign-in`: a name with a password, or with a one-time code and the password that it becomes. */
export const signInRequest = z.union([
  z.strictObject({ name: typed, password: typed }),
  z.strictObject({ name: typed, code: z.string().min(1).max(40), newPassword: typed.exactOptional() }),
])
export type SignInRequest = z.infer<typeof signInRequest>

/** `POST /join`: somebody asks to be admitted to the class, with the code that the educator shows. */
export const joinRequest = z.strictObject({ classCode: z.string().min(1).max(40), name: personName, password: typed })
export type JoinRequest = z.infer<typeof joinRequest>

/** `POST /device/token`: a terminal asks whether its code was confirmed. */
export const deviceTokenRequest = z.strictObject({ deviceCode: z.string().min(1).max(100) })

/** The answer to `POST /device`. */
export interface DeviceCode {
  /** The terminal's secret, with which it asks for its session. */
  readonly deviceCode: string
  /** Shown in the terminal, and typed in the browser of the person. */
  readonly userCode: string
  /** ISO 8601. */
  readonly until: string
  /** Seconds between two requests for the token. */
  readonly interval: number
}

/** The answer to `POST /device/token`. null: not confirmed yet. */
export type DeviceToken =
  | { readonly token: null }
  | {
      readonly token: string
      /** The person as whom the terminal is signed in. */
      readonly name: string
    }
