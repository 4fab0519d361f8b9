import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Everything that names a customer leads to the whole of them. */
export function CustomerLink({ userId, children }: { readonly userId: string; readonly children?: ReactNode }) {
  return (
    <Link to={`/customers/${userId}`} dir="auto" className={children ? 'link' : 'link num'}>
      {children ?? shortenCustomerId(userId)}
    </Link>
  )
}

/** `usr_01jc…9x2f`: enough to know it again. */
export function shortenCustomerId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}
