import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/source-serif-4/wght.css'
import './theme.css'
import './shared.css'
import { mount } from 'svelte'
import SignIn from './screens/sign-in/sign-in.svelte'

mount(SignIn, { target: document.getElementById('app')! })
