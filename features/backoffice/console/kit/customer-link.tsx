import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConsoleFormatter } from './format.ts'

/** Data of an audit row on one line, without `changes`: the sheet shows those in a table. */
export function DataLine({ data, className = '' }: { readonly data: Readonly<Record<string, unknown>>; readonly className?: string }) {
  const say = useConsoleFormatter()
  const { changes: _changes, ...rest } = data
  const words = say.data(rest).map(([name, value]) => `${name} ${value}`)
  return <span className={`block truncate text-12 text-fg-2 ${className}`}>{words.length ? words.join(' · ') : '—'}</span>
}

/** Link from a customer's name to the customer's page. */
export function CustomerLink({ userId, children }: { readonly userId: string; readonly children?: ReactNode }) {
  return (
    <Link to={`/customers/${userId}`} dir="auto" className={children ? 'link' : 'link num'}>
      {children ?? shortenCustomerId(userId)}
    </Link>
  )
}

/** `usr_01jc…9x2f`: short, but recognizable. */
export function shortenCustomerId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}
