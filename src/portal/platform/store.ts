import { createStore } from 'jotai/vanilla'

/** The one store of the portal, shared by state modules and components. */
export const store = createStore()
