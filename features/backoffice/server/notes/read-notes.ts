import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { customersContract } from '../../contract-customers.console.ts'
import { buildKeysetPage } from '../desk/keyset.ts'
import { listCustomerNotes } from './data.ts'

type Endpoint = (typeof customersContract)['customerNotes']

export async function readNotes({ db }: Ctx, { userId, after, limit }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  return buildKeysetPage(await listCustomerNotes(db, userId, { after: placeOf(after), limit: limit + 1 }), limit, {
    view: ({ id, text, pinned, madeBy, madeAt: at }) => ({ id, text, pinned, madeBy, at: at.toISOString() }),
    place: ({ pinned, id }) => `${pinned ? 1 : 0} ${id}`,
  })
}

function placeOf(after: string | undefined): { pinned: boolean; id: string } | undefined {
  if (after === undefined) return undefined
  const [, pinned, id] = /^([01]) (cnt_[0-9A-Z]{26})$/.exec(after) ?? []
  return id === undefined ? fail('BAD_INPUT', { fields: ['after'] }) : { pinned: pinned === '1', id }
}
