import { copied, copiedOf, type Copied } from '#kernel/copied.ts'
import { defineCommand } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const common = { icon: 'link', needs: 'signed-in' } as const

const copyOf = (what: Copied, chord: string, aliases: readonly string[]) =>
  defineCommand({
    ...common,
    id: `link.copy.${what}`,
    title: `Copy ${copied[what]}`,
    aliases,
    keys: [{ scope: 'workspace', chord, ofSelection: true }],
    unavailable: ({ selection }: CommandContext) =>
      !selection
        ? { sentence: 'Choose a row first.' }
        : copiedOf(selection, what).length === 0
          ? { sentence: `There is no ${copied[what]} here that you can see.` }
          : null,
    act: (host) => host.copyOf(what),
  })

/** Copies by `y` and another letter: the link of the selected record or of the page, and the values that support needs most. */
export default [
  defineCommand({
    ...common,
    id: 'link.copy',
    title: 'Copy link',
    aliases: ['share', 'address', 'url'],
    keys: [{ scope: 'workspace', chord: 'y y', ofSelection: true }],
    act: (host) => host.copyOf('link'),
  }),
  copyOf('id', 'y i', ['number', 'identifier']),
  copyOf('email', 'y e', ['mail address']),
  copyOf('phone', 'y p', ['telephone', 'mobile']),
]
