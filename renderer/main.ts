import './no-eval.ts'
import './fonts.ts'
import './theme.css'
import { mount } from 'svelte'
import App from './app.svelte'
import { showRememberedAppearance } from './appearance.ts'

showRememberedAppearance()
mount(App, { target: document.getElementById('app')! })
