import { atom } from 'jotai/vanilla'

/** The run that is under way, or the last one that ended unseen, with its progress; `here` while this page executes one. */
export const progressAtom = atom<{
  text: string
  icon: 'time' | 'alert' | 'check'
  running: boolean
  here: boolean
  run: string
} | null>(null)
