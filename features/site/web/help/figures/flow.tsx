import type { ReactNode } from 'react'

interface FrameProps {
  readonly caption: string
  readonly children: ReactNode
}

/** A figure on a ruled background with its caption. Uses real text, which wraps, prints and works with screen readers. */
export function FlowFrame({ caption, children }: FrameProps) {
  return (
    <figure className="my-7 rounded-card border border-line bg-surface">
      <div className="p-6 mobile:p-5">{children}</div>
      <figcaption className="border-t border-dashed border-line px-6 py-3 text-13 text-fg-3 mobile:px-5">{caption}</figcaption>
    </figure>
  )
}

interface NodeProps {
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly look?: 'plain' | 'ink' | 'brand' | 'dashed'
}

const looks: Readonly<Record<NonNullable<NodeProps['look']>, string>> = {
  plain: 'border-control bg-surface',
  ink: 'border-ink bg-ink text-ink-fg',
  brand: 'border-brand bg-brand-soft text-brand-text',
  dashed: 'border-dashed border-control bg-surface text-fg-2',
}

export function FlowNode({ title, note, look = 'plain' }: NodeProps) {
  return (
    <div className={`flex min-w-0 flex-1 flex-col justify-center rounded-control border px-3 py-2.5 text-center ${looks[look]}`}>
      <p className="text-14 font-semibold">{title}</p>
      {note ? <p className={`text-12 ${look === 'ink' ? 'text-ink-fg-3' : look === 'brand' ? '' : 'text-fg-3'}`}>{note}</p> : null}
    </div>
  )
}

/** An arrow, to the right on desktop, downwards on a phone, labelled with the data it carries. */
export function FlowArrow({ label, dashed }: { readonly label?: string; readonly dashed?: boolean }) {
  return (
    <div className="flex shrink-0 items-center justify-center gap-2 text-12 text-fg-3 desktop:w-[92px] desktop:flex-col desktop:gap-1 mobile:h-11">
      {label ? <span className="desktop:text-center mobile:order-2">{label}</span> : null}
      <svg viewBox="0 0 64 10" className="w-16 text-control mobile:w-9 mobile:rotate-90" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
        <path d="M0 5h62" strokeDasharray={dashed ? '4 4' : undefined} />
        <path d="M57 1l5 4-5 4" strokeLinejoin="round" strokeLinecap="round" />
      </svg>
    </div>
  )
}

export function FlowRow({ children }: { readonly children: ReactNode }) {
  return <div className="flex items-stretch mobile:flex-col">{children}</div>
}
