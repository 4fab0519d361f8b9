import { allowsSandbox } from '#platform/server/config.ts'
import type { RawReply, RawRoute } from '#platform/server/feature.ts'
import { listSandboxMails, listSandboxSms } from './door.ts'

/** GET /sandbox/mails?to=: contents of the sandbox's mailbox, newest first. */
export const sandboxMailRoute: RawRoute = {
  method: 'GET',
  path: '/sandbox/mails',
  role: 'sandbox',
  handle: async (deps, { query }) => {
    if (!allowsSandbox(deps.config, 'mail')) return NOT_FOUND_REPLY
    const mails = await listSandboxMails(deps.db, query['to'] || undefined)
    return json(mails.map(({ to, subject, text, code, at }) => ({ to, subject, text, code, at: at.toISOString() })))
  },
}

/** GET /sandbox/sms?to=+86…: messages on the sandbox's phone, newest first. */
export const sandboxSmsRoute: RawRoute = {
  method: 'GET',
  path: '/sandbox/sms',
  role: 'sandbox',
  handle: async (deps, { query }) => {
    if (!allowsSandbox(deps.config, 'sms')) return NOT_FOUND_REPLY
    const messages = await listSandboxSms(deps.db, query['to'] || undefined)
    return json(messages.map(({ to, text, code, at }) => ({ to, text, code, at: at.toISOString() })))
  },
}

const NOT_FOUND_REPLY: RawReply = { status: 404, type: 'application/json', body: '[]' }
const json = (rows: readonly object[]): RawReply => ({ status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(rows) })
