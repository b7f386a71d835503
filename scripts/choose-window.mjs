// Decides how `npm start` shows the classroom. Asks for what is dear (Electron may have to be fetched) only when it matters.

/**
 * platform, display: whether windows can be shown. root: whether this user is root on a system where that matters.
 * electron(): `{ path, version }`, or `{ why }` in words. browser(): `{ path, name }` of an installed Chromium kind, or null.
 * opener(): the command and arguments that open an address in the default browser, or null.
 * Resolves to `{ mode, line }` and what the mode needs; `line` says to people what was chosen and why.
 */
export async function chooseWindow({ display, root, electron, browser, opener }) {
  if (!display) {
    const line =
      'No display here, so this runs in the terminal: the sample contest first, then the classroom at an address for a browser.'
    return { mode: 'terminal', line }
  }
  if (root) {
    const line =
      'This is root, for whom windows would have to run without their sandbox, so the classroom is served at an address for a browser.'
    return { mode: 'serve', line }
  }
  const desktop = await electron()
  if ('path' in desktop) {
    return {
      mode: 'desktop',
      line: `The desktop window: a display and Electron ${desktop.version} are here.`,
      ...desktop,
    }
  }
  return withoutElectron({ why: desktop.why, browser, opener })
}

/** As `chooseWindow`, when there is a display and Electron cannot be had; `why` in words. */
export function withoutElectron({ why, browser, opener }) {
  const found = browser()
  if (found !== null) return { mode: 'window', line: `An app window of ${found.name}, because ${why}.`, ...found }
  const open = opener()
  const none = `${why}, and neither Chrome nor Chromium nor Edge is installed`
  if (open !== null) return { mode: 'browser', line: `The default browser, because ${none}.`, open }
  return { mode: 'serve', line: `The classroom is served at an address for a browser, because ${none}.` }
}
