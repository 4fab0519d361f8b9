import { redirect } from '@tanstack/react-router'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { endSession, getSessionToken } from '#platform/web/state/session.ts'
import type { Search } from './search-text.ts'

/** Redirects signed-in users away from the sign-in pages. */
export function redirectToTarget({ search }: { readonly search: Search }): void {
  if (!getSessionToken()) return
  if (search['mode'] === 'reset') {
    // A signed-in user starts at the password step (product.md 1.2).
    openDialog('password')
    throw redirect({ to: '/account', replace: true })
  }
  throw redirect({ href: parseOwnPath(search['redirect']) ?? '/api', replace: true })
}

/** Redirects only if the stored session is still valid, for the embedded page; otherwise ends the session and shows the form without a message. */
export async function redirectIfSessionValid({ search }: { readonly search: Search }): Promise<void> {
  if (!getSessionToken()) return
  const { isSessionValid } = await import('./session/session-check.ts')
  if (await isSessionValid()) return redirectToTarget({ search })
  endSession('expired')
}

/** Redirects to the landing page, which stores the code; without one, to the sign-in (product.md 1.2). The server redirects first. */
export function redirectToLanding({ params }: { readonly params: { readonly id?: string } }): void {
  if (getSessionToken()) throw redirect({ to: '/', replace: true })
  throw params.id ? redirect({ to: '/', search: { code: params.id }, replace: true }) : redirect({ to: '/login', replace: true })
}

/** The help article about failed payments (product.md 1.2). */
export function redirectToPaymentHelp(): void {
  throw redirect({ href: '/help/payment-problems', replace: true })
}

/** Redirects records by kind (product.md 2.3): 1 account opening, 2 card transactions, 3 API; each has its own page. */
export function redirectToRecords({ search }: { readonly search: Search }): void {
  if (search['type'] === '1') throw redirect({ to: '/orders', search: { type: '1' }, replace: true })
  if (search['type'] === '3') throw redirect({ to: '/api', search: { tab: 'rechargeRecord' }, replace: true })
  throw redirect({ to: '/bill', search: {}, replace: true })
}
