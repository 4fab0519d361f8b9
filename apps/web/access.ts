/** Pages that need a sign-in; all below them, too. */
const PRIVATE = ['/api', '/account', '/orders', '/withdrawals', '/receipts', '/invite-record']

/** Visitors see everything but the console; of the console, the prices (product.md 1.6). */
export function isPublic(pathname: string, search: Readonly<Record<string, unknown>>): boolean {
  if (pathname === '/api' && search['tab'] === 'pricing') return true
  return !PRIVATE.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
