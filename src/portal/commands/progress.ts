import { atom } from 'jotai/vanilla'

/** The run that is under way, or that ended and was not looked at yet, and how far it is; `here` while this page carries one out. */
export const progressAtom = atom<{
  text: string
  icon: 'time' | 'alert' | 'check'
  running: boolean
  here: boolean
  run: string
} | null>(null)
