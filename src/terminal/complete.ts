import type { Command } from '#kernel/command.ts'
import { commandNamed, nounNamed } from '#terminal/find-command.ts'
import { optionOf } from '#terminal/field-values.ts'
import { knownFields } from '#terminal/help.ts'
import { commands, entities } from '#terminal/registry.ts'
import { Stop } from '#terminal/stop.ts'

const general = ['--at', '--confirm', '--dry-run', '--help', '--json', '--output', '--wait']
const ofLists = ['--all', '--columns', '--ids', '--limit', '--order', '--sort']
const others = ['addresses', 'completion', 'sign-in', 'sign-out', 'undo']

const silently = (typed: string): Command | null => {
  try {
    return commandNamed(typed)
  } catch {
    return null
  }
}

/** What the last of the words may become; the words before it decide what is expected there. */
export function completions(words: readonly string[]): string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const fitting = (all: readonly string[]) => [...new Set(all)].filter((each) => each.startsWith(last)).sort()
  const [first = ''] = before
  if (before.length === 0)
    return fitting([
      ...commands.map(({ id }) => id),
      ...entities.flatMap(({ one, many, pane }) => [one, ...(pane ? [many] : [])]).filter((noun) => !/\s/.test(noun)),
      ...others,
    ])
  const command = silently(first)
  const noun = nounNamed(first)
  const option = before.at(-1) ?? ''
  const fields = command ? knownFields(command) : []
  const field = fields.find((each) => `--${optionOf(each)}` === option)
  if (field) return fitting(field.kind === 'switch' ? ['yes', 'no'] : field.options.map(({ value }) => value))
  if (last.startsWith('-')) return fitting([...general, ...(command ? fields.map((each) => `--${optionOf(each)}`) : ofLists)])
  if (noun)
    return fitting([
      ...noun.filters
        .flatMap(({ field: { options = [] } }) => options.map(({ label }) => label.toLowerCase()))
        .filter((label) => !/\s/.test(label)),
      ...commands
        .filter(({ on, id }) => on === noun && id.startsWith(`${noun.name}.`))
        .map(({ id }) => id.slice(noun.name.length + 1)),
    ])
  return first === 'completion' ? fitting(['bash', 'zsh']) : []
}

// `npm run` would print its own lines; the scripts call the program itself.
const scripts: Readonly<Record<string, (program: string) => string>> = {
  bash: (program) => `portal() { ${program} "$@"; }
_portal() {
  local IFS=$'\\n'
  COMPREPLY=($(portal complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _portal portal`,
  zsh: (program) => `portal() { ${program} "$@" }
_portal() {
  local -a found
  found=("\${(@f)$(portal complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _portal portal`,
}

/** A script that defines \`portal\` and its completion for a shell. */
export function completionScript(shell: string | undefined, program: string): string {
  const script = scripts[shell ?? '']
  if (!script) throw new Stop('usage', 'For which shell: bash or zsh?')
  return script(program)
}
