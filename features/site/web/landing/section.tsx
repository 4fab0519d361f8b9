import type { ReactNode } from 'react'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly className?: string
  /** Section whose title is left of the content on desktop, and stays visible while the content scrolls. */
  readonly beside?: boolean
}

/** Rhythm of the public pages: 88 px between sections, 56 on mobile. */
export function Section({ id, title, lead, children, beside, className = '' }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`wrap-1200 pt-[88px] mobile:pt-14 ${beside ? 'gap-10 desktop:grid desktop:grid-cols-[minmax(0,.8fr)_minmax(0,1.2fr)]' : ''} ${className}`}
    >
      <div className={`mb-8 self-start mobile:mb-6 ${beside ? 'desktop:sticky desktop:top-24' : ''}`}>
        <h2 id={`${id}-title`} className="text-40 mobile:text-28">
          {title}
        </h2>
        {lead ? <p className="mt-2 text-fg-2">{lead}</p> : null}
      </div>
      {children}
    </section>
  )
}
