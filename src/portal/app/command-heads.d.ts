declare module 'virtual:command-heads' {
  /** The heads of the commands that come with their nouns, made when the portal is built. */
  export const heads: readonly import('#kernel/command-head.ts').CommandHead[]
}
