import type { KeyLine } from '#portal/keyboard/key-map.ts'

/** The keys of a page form, for its status bar and the test that checks them against the keys of commands. */
export const pageKeys: readonly KeyLine[] = [
  { chords: ['Enter'], says: 'next field, from the last one save' },
  { chords: ['Escape'], says: 'leave' },
  { chords: ['F6'], says: 'next section' },
  { chords: ['F8'], says: 'next problem' },
  { chords: ['Mod+Enter'], says: 'save' },
]
