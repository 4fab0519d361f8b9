import { Megaphone, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'

interface AnnouncementBarProps {
  readonly kind: 'news' | 'warning'
  readonly title: string
  readonly text: string
  /** Link to more details, passed in because this component does not depend on the router. */
  readonly more?: ReactNode
  readonly closeWord: string
  readonly onClose?: () => void
}

/** One-line notice above a page: news or a warning, with a button that closes it for good. */
export function AnnouncementBar({ kind, title, text, more, closeWord, onClose }: AnnouncementBarProps) {
  const Icon = kind === 'warning' ? TriangleAlert : Megaphone
  return (
    <div className="flex items-start gap-x-3 py-1.5 text-14">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={`mt-2 shrink-0 ${kind === 'warning' ? 'text-warning' : 'text-brand-text'}`} />
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        <strong className="font-semibold">{title}</strong>
        {text ? <span className="ml-2 text-fg-2">{text}</span> : null}
        {more ? <span className="ml-2 whitespace-nowrap">{more}</span> : null}
      </p>
      <button type="button" aria-label={closeWord} title={closeWord} className="icon-btn -my-1 -mr-2 shrink-0" onClick={onClose}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}
