interface StepsLineProps {
  /** Current step, from 1. */
  readonly at: number
  readonly names: readonly string[]
}

/** Progress of a dialog with several steps; dotted like the leaders of a receipt. */
export function StepsLine({ at, names }: StepsLineProps) {
  return (
    <ol className="mb-5 flex items-center gap-2 text-13">
      {names.map((name, index) => (
        <li key={name} aria-current={index + 1 === at ? 'step' : undefined} className="flex min-w-0 flex-1 items-center gap-2 last:flex-none">
          <span
            className={`num flex size-5 shrink-0 items-center justify-center rounded-full text-12 ${index + 1 <= at ? 'bg-brand text-on-brand' : 'bg-sunken text-fg-3'}`}
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <span className={index + 1 === at ? 'font-semibold' : 'text-fg-3'}>{name}</span>
          {index + 1 < names.length ? <span className="leader translate-y-0! [--leader:var(--color-control)]" aria-hidden="true" /> : null}
        </li>
      ))}
    </ol>
  )
}
