/** Names of the messages between main and preload; everything else goes over the port. */
export const channels = {
  /** preload → main: the page is ready for its port. */
  connect: 'tartaglia:connect',
  /** preload → main: the path of a history that the person dropped or chose in a dialog of the page. */
  history: 'tartaglia:history',
  /** main → preload: the port. */
  port: 'tartaglia:port',
  /** main → preload: a screen's address, such as `#/contests`. */
  go: 'tartaglia:go',
} as const
