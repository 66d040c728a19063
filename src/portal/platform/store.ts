import { createStore } from 'jotai/vanilla'

/** The one store of the portal: state files and components share it. */
export const store = createStore()
