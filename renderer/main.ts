import './no-eval.ts'
// Variable, self-hosted fonts; browsers fetch only the scripts that a page uses.
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/source-serif-4/wght.css'
import './theme.css'
import './shared.css'
import { mount, unmount } from 'svelte'
import App from './app.svelte'
import { askWhoCalls } from './caller.svelte.ts'
import { followUnhandled } from './connection/unhandled.ts'
import { askForHome } from './screens/class/asked-home.ts'
import { askForOverview } from './screens/class/asked-overview.ts'
import { loadEarly } from './screens/class/loaded-parts.ts'
import { followView } from './seen-as.ts'
import { showRememberedAppearance } from './settings.svelte.ts'

followUnhandled(window)
showRememberedAppearance()
/** If the program has not said who is at the window in this time, the window is shown all the same; the program refuses what is not theirs. ms. */
const WAIT = 2_000

const waited = new Promise((resolve) => setTimeout(resolve, WAIT))
const known = askWhoCalls().then(
  (me) => {
    askForHome(me, location.hash)
    loadEarly(location.hash)
  },
  () => undefined,
)
askForOverview(location.hash)
void Promise.race([known, waited]).then(() => {
  const show = (): ReturnType<typeof mount> => mount(App, { target: document.getElementById('app')! })
  let app = show()
  followView({ hide: () => unmount(app), show: () => void (app = show()) })
})
