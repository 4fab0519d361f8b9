import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

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
