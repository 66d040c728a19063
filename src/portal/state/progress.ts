import { atom } from 'jotai/vanilla'

/** The run that is under way, or that ended and was not looked at yet, and how far it is. */
export const progressAtom = atom<{ text: string; running: boolean; run: string } | null>(null)
