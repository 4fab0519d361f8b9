import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  info: { Icon: Info, line: 'border-info', text: 'text-info' },
  warning: { Icon: TriangleAlert, line: 'border-warning', text: 'text-warning' },
  danger: { Icon: CircleAlert, line: 'border-danger', text: 'text-danger' },
} as const

/** A notice that remains until its cause changes. */
export function PaymentsNotice({ tone, title, children }: { readonly tone: keyof typeof looks; readonly title?: string; readonly children: ReactNode }) {
  const { Icon, line, text } = looks[tone]
  return (
    <div className={`flex items-start gap-2 rounded-control border px-3 py-2.5 text-14 ${line}`}>
      <Icon size={16} strokeWidth={1.75} className={`mt-[3px] shrink-0 ${text}`} aria-hidden="true" />
      <div className="min-w-0">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
      </div>
    </div>
  )
}
