import type { ReactNode } from 'react'
import { useTitle } from '#platform/web/title.ts'

interface ConsolePageHeadProps {
  readonly title: string
  /** Shown beside the title: counts, or the time of the data. */
  readonly note?: ReactNode
  /** Shown below the title: a line that describes the page. */
  readonly about?: ReactNode
  readonly actions?: ReactNode
}

/** Header of a screen; also sets the document title. */
export function ConsolePageHead({ title, note, about, actions }: ConsolePageHeadProps) {
  useTitle(title)
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 pt-4 pb-3 mobile:px-4">
      <div className="min-w-0 flex-1 mobile:basis-48">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 className="text-18 font-bold">{title}</h1>
          {note ? <p className="text-13 text-fg-2 tabular">{note}</p> : null}
        </div>
        {about ? <div className="text-13 text-fg-2">{about}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  )
}

/** Layout of a screen that is not a list: it scrolls as a whole. */
export function ConsolePage({ children, ...head }: ConsolePageHeadProps & { readonly children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <ConsolePageHead {...head} />
      <div className="px-5 pb-8 mobile:px-4">{children}</div>
    </div>
  )
}

/** A part of a page with its own heading. */
export function ConsolePanel({
  title,
  note,
  children,
  className = '',
}: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <section aria-label={title} className={`card p-4 ${className}`}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-14 font-semibold">{title}</h2>
        {note ? <div className="text-12 text-fg-3">{note}</div> : null}
      </div>
      {children}
    </section>
  )
}
