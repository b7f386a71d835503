/** One attempt to break out of a box. */
export interface SelfTestCheck {
  /** What was attempted. */
  readonly name: string
  /** Whether the attempt failed, as it should. */
  readonly holds: boolean
  /** What happened. */
  readonly detail: string
}
