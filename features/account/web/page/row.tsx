import type { ReactNode } from 'react'
import { Leader } from '#ui/receipt.tsx'

interface EntryProps {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly badge?: ReactNode
  readonly action?: ReactNode
  readonly note?: ReactNode
}

/** A line of the account, drawn as on a receipt: label, dots, value and actions. */
export function SettingsEntry({ label, value, badge, action, note }: EntryProps) {
  return (
    <li className="py-3.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="receipt-row min-w-0 flex-[1_1_190px] text-14">
          <span className="min-w-0 font-medium">{label}</span>
          <Leader />
          <span className="max-w-[65%] shrink-0 truncate text-right">{value}</span>
        </div>
        {badge || action ? (
          <span className="ml-auto flex shrink-0 items-center gap-3">
            {badge}
            {action}
          </span>
        ) : null}
      </div>
      {note ? <p className="mt-1 text-13 text-fg-3">{note}</p> : null}
    </li>
  )
}

export function SettingsEntries({ children }: { readonly children: ReactNode }) {
  return <ul className="card divide-y divide-dashed divide-line px-5 [--leader:var(--color-control)] mobile:px-4">{children}</ul>
}
