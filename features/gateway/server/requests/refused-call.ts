import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { API_ERROR_CAUSES, formatRefusal } from '../hot/errors.ts'
import { selectRefused } from './data-refused.ts'
import type { RefusedRow } from './data-refused.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { toRefusedRequestRow } from './requests.ts'

type Endpoint = (typeof requestsContract)['refusedCall']

/** Returns a refused call of the user, with the response body in the caller's dialect. */
export async function refusedCall(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const row = (await selectRefused(ctx.db, accountId, input.id)) ?? fail('CALL_NOT_FOUND')
  return { ...toRefusedRequestRow(row), apiToken: maskKeySecret(row.last4), path: row.path, message: row.message, body: renderRefusalBody(row) }
}

function renderRefusalBody(row: RefusedRow): string {
  const cause = API_ERROR_CAUSES.find((one) => one === row.cause)
  if (cause === undefined) return ''
  const refused = { cause, message: row.message, ...(row.field === null ? {} : { field: row.field }) }
  return JSON.stringify(JSON.parse(formatRefusal(row.surface, refused, row.id.replace(/^ref_/, 'req_')).body), undefined, 2)
}
