declare module 'virtual:command-heads' {
  /** The heads of the commands that come with their nouns, made when the portal is built. */
  export const heads: readonly import('#kernel/command-head.ts').CommandHead[]
  /** How the commands of a noun's folder come: all of those that share a file with them, by one `import()`. */
  export const later: Readonly<Record<string, () => Promise<readonly import('#kernel/command.ts').Command[]>>>
}
