import type { RawRoute } from '#platform/server/feature.ts'
import { listSandboxMails } from './door.ts'
import { sandboxMailAllowed } from './start.ts'

/** GET /sandbox/mails?to=: what the sandbox's mailbox holds, newest first. */
export const sandboxMailRoute: RawRoute = {
  method: 'GET',
  path: '/sandbox/mails',
  role: 'sandbox',
  handle: async (deps, { query }) => {
    if (!sandboxMailAllowed(deps.config)) return { status: 404, type: 'application/json', body: '[]' }
    const mails = await listSandboxMails(deps.db, query['to'] || undefined)
    const body = mails.map(({ to, subject, text, code, at }) => ({ to, subject, text, code, at: at.toISOString() }))
    return { status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
  },
}
