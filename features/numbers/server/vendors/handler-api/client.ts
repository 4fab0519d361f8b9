import { failedReplyError, rejectedError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import type { NumberRefusal, NumberTools } from '../port.ts'
import type { HandlerApiAccount } from './config.ts'

const DEADLINE_MS = 10_000

/** Plain-text responses that mean a definite refusal, with the reason. */
const REFUSED: Readonly<Record<string, NumberRefusal>> = {
  NO_NUMBERS: 'no_numbers',
  NO_NUMBER: 'no_numbers',
  NO_BALANCE: 'no_balance',
  WRONG_MAX_PRICE: 'too_dear',
  BAD_SERVICE: 'not_sold',
  WRONG_SERVICE: 'not_sold',
  BAD_COUNTRY: 'not_sold',
  BAD_KEY: 'account',
  WRONG_KEY: 'account',
  BANNED: 'account',
  ACCOUNT_INACTIVE: 'account',
}

/** Performs one action. The protocol puts the key into the query, so no error and no log may contain the URL. */
export async function callHandlerApi(
  account: HandlerApiAccount,
  tools: Pick<NumberTools, 'fetch'>,
  { action, params = {} }: { readonly action: string; readonly params?: Readonly<Record<string, string>> },
): Promise<string> {
  const url = new URL(account.url)
  for (const [name, value] of Object.entries({ api_key: account.key, action, ...params })) url.searchParams.set(name, value)
  const writes = action === 'getNumber' || action === 'setStatus'
  const reply = await sendOutgoingRequest(tools.fetch, { method: 'GET', writes, url: url.href, deadlineMs: DEADLINE_MS })
  const said = reply.body.toString('utf8').trim()
  // Suppliers send plain-text errors with 4xx or 200
  const refused = REFUSED[/^[A-Z_]+/.exec(said)?.[0] ?? '']
  if (refused) throw rejectedError(refused, /^[A-Z_]+/.exec(said)?.[0], { ours: refused === 'account' || refused === 'no_balance' })
  if (reply.status !== 200 || said.startsWith('<'))
    throw failedReplyError({ status: reply.status, writes, retryAfter: reply.header('retry-after'), said: action })
  return said
}

/** Error for an unexpected response; contains only its first word, e.g. ERROR_SQL. */
export const unexpectedHandlerApiReply = (action: string, said: string) =>
  unreadableError(action === 'getNumber' || action === 'setStatus', `handler_api ${action} said ${/^[A-Z_]{1,40}/.exec(said)?.[0] ?? 'something else'}`)
