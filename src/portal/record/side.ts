import { createContext, useContext } from 'react'
import type { Side } from '#portal/platform/location.ts'

/** The side of the record around a part. */
export const SideContext = createContext<Side>('main')

/** The side of the record that a part belongs to. */
export const useSide = (): Side => useContext(SideContext)

/** The DOM id of a tab, and of the body that it controls: two records may have the same tabs. */
export const tabId = (side: Side, tab: string): string => `${side === 'main' ? '' : 'beside-'}tab-${tab}`
/** The DOM id of the body of a record. */
export const bodyId = (side: Side): string => (side === 'main' ? 'record' : 'beside-record')
