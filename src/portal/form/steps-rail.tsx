import { Icon } from '#portal/ui/icon.tsx'

/** The steps of a wizard: the current one, and the completed ones with a way back. */
export function StepsRail({ steps, at, go }: { steps: readonly string[]; at: number; go: (step: number) => void }) {
  return (
    <ol className="w-44 shrink-0 space-y-0.5 border-r border-line p-2" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            tabIndex={index < at ? 0 : -1}
            disabled={index > at}
            aria-current={index === at ? 'step' : undefined}
            className={`flex h-8 w-full items-center gap-2 rounded-md px-2 text-left ${index === at ? 'bg-accent-wash font-[550]' : index > at ? 'text-muted' : ''}`}
            onClick={() => go(index)}
          >
            <span className="grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-tiny tabular-nums">
              {index < at ? <Icon name="check" size={12} /> : index + 1}
            </span>
            <span className="truncate">{step}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
