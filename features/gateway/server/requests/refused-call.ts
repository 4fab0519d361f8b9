import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { requestsContract } from '../../contract-requests.ts'
import { CAUSES, shape } from '../hot/errors.ts'
import { oneRefused } from './data-refused.ts'
import type { RefusedRow } from './data-refused.ts'
import { masked } from '../keys/secret.ts'
import { rowOfRefused } from './row.ts'

type Endpoint = (typeof requestsContract)['refusedCall']

/** One refused call of the user's own, with the body that was answered, in the caller's dialect. */
export async function refusedCall(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const row = (await oneRefused(ctx.db, accountId, input.id)) ?? fail('CALL_NOT_FOUND')
  return { ...rowOfRefused(row), apiToken: masked(row.last4), path: row.path, message: row.message, body: bodyOf(row) }
}

function bodyOf(row: RefusedRow): string {
  const cause = CAUSES.find((one) => one === row.cause)
  if (cause === undefined) return ''
  const refused = { cause, message: row.message, ...(row.field === null ? {} : { field: row.field }) }
  return JSON.stringify(JSON.parse(shape(row.surface, refused, row.id.replace(/^ref_/, 'req_')).body), undefined, 2)
}
