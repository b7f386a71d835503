import { configure } from '@testing-library/svelte'

// Before every test of the window: what is waited for may take long where others have the cores.
configure({ asyncUtilTimeout: 30_000 })
