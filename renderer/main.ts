import './no-eval.ts'
// Variable, self-hosted fonts; browsers fetch only the scripts that a page uses.
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/source-serif-4/wght.css'
import './theme.css'
import './shared.css'
import { mount } from 'svelte'
import App from './app.svelte'
import { followUnhandled } from './connection/unhandled.ts'
import { showRememberedAppearance } from './settings.svelte.ts'

followUnhandled(window)
showRememberedAppearance()
mount(App, { target: document.getElementById('app')! })
