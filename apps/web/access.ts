/** Pages that require a sign-in, including their subpages. */
const PRIVATE_PATHS =
  /^\/(?:api|api-forwards|account|orders|withdrawals|receipts|invite-record|card|select-card|bill|record|record-mobile|sms|email|network|browser|remote|openai-register|open-account|open-account-payment|verify-information-for-existing-user|face-verify-for-existing-user|face-verify|face-verify-redirect|pay-face-verify-result)(?:\/|$)/

/** Visitors see everything except the console; of the console, the prices only (product.md 1.6). */
export function isPublic(pathname: string, search: Readonly<Record<string, unknown>>): boolean {
  if (pathname === '/api' && search['tab'] === 'pricing') return true
  return !PRIVATE_PATHS.test(pathname)
}
