import { defineCommand } from '#kernel/command.ts'

/** A second record beside the open one; in a list and in the palette Ctrl+Enter does the same. */
export default [
  defineCommand({
    id: 'open.beside',
    title: 'Open beside what is open',
    aliases: ['side by side', 'compare records', 'second record', 'split view'],
    icon: 'columns',
    needs: 'signed-in',
    unavailable: ({ selection }) => (selection?.how === 'active' ? null : { sentence: 'Choose one row first.' }),
    act: (host) => host.beside('open'),
  }),
  defineCommand({
    id: 'open.beside.close',
    title: 'Close the record beside',
    aliases: ['close side', 'close split view'],
    icon: 'close',
    needs: 'signed-in',
    unavailable: ({ beside }) => (beside ? null : { sentence: 'No record is open beside another one.' }),
    act: (host) => host.beside('close'),
  }),
]
