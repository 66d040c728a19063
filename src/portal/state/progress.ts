import { atom } from 'jotai/vanilla'

/** The run that is under way, or that ended and was not looked at yet: how far it is, and what shows it. */
export const progressAtom = atom<{ text: string; running: boolean; show: () => void } | null>(null)
