import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export type AlertKind = 'success' | 'info' | 'warning' | 'error' | 'custom'
const icons = { success: CircleCheck, info: Info, warning: TriangleAlert, error: CircleAlert }
const colors = { success: 'text-success', info: 'text-info', warning: 'text-warning', error: 'text-danger' }

interface AlertBoxProps {
  /** `custom` provides its own picture, or none. */
  readonly kind?: AlertKind
  readonly icon?: ReactNode
  readonly title?: ReactNode
  readonly action?: ReactNode
  readonly className?: string
  readonly children?: ReactNode
}

/** Information needed before continuing, placed next to the content it concerns. Errors and warnings are announced. */
export function AlertBox({ kind = 'info', icon, title, action, className = '', children }: AlertBoxProps) {
  return (
    <div
      role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card border border-line bg-surface px-4 py-3 text-14 ${className}`}
    >
      {icon ?? <AlertIcon kind={kind} className="mt-px" />}
      <div className="min-w-0 flex-[1_1_200px]">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div className="text-fg-2">{children}</div> : null}
      </div>
      {action}
    </div>
  )
}

export function AlertIcon({ kind, size = 20, className = '' }: { readonly kind: AlertKind; readonly size?: number; readonly className?: string }) {
  if (kind === 'custom') return null
  const Icon = icons[kind]
  return <Icon size={size} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${colors[kind]} ${className}`} />
}
