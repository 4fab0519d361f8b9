import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { loadMaskedContacts } from '#features/account/server/door.ts'
import type { workDeskContract } from '../../contract-desk.console.ts'
import { searchCommands, searchCustomers, searchOrdersByNumber, searchOrdersByTrade, searchKeyOwners, searchInvoices, searchWithdrawals } from './data-find.ts'

type Contract = typeof workDeskContract
const MAX_HITS_PER_KIND = 5
/** Prefix of an order number, e.g. `20261122-GPQ4`. */
const ORDER = /^\d{8}(-[0-9A-Z]{0,12})?$/i
const WITHDRAWAL = /^W\d{4,8}(-[0-9A-Z]{0,12})?$/i
const PAPER = /^(?:IN|RC)-\d{4}-\d{6,9}$|^IR-\d{4,8}(-[0-9A-Z]{0,12})?$/i
const COMMAND = /^C\d{8}-[0-9A-Z]{8}$/i

/** Searches only in the kinds that the form of the query allows, each with one index lookup. */
export async function find(ctx: Ctx, { q }: InputOf<Contract['find']>): Promise<ReplyOf<Contract['find']>> {
  const { db } = ctx
  const looks = [
    searchCustomers(db, q, { begins: ctx.operator!.permissions.has('contacts.reveal'), limit: MAX_HITS_PER_KIND }),
    searchKeyOwners(db, q, MAX_HITS_PER_KIND),
  ]
  if (ORDER.test(q)) looks.push(searchOrdersByNumber(db, q, MAX_HITS_PER_KIND))
  if (WITHDRAWAL.test(q)) looks.push(searchWithdrawals(db, q, MAX_HITS_PER_KIND))
  if (PAPER.test(q)) looks.push(searchInvoices(db, q, MAX_HITS_PER_KIND))
  if (COMMAND.test(q)) looks.push(searchCommands(db, q, MAX_HITS_PER_KIND))
  if (q.length >= 8) looks.push(searchOrdersByTrade(db, q, MAX_HITS_PER_KIND))
  const hits = (await Promise.all(looks)).flat()
  const nameless = hits.filter(({ kind, id, title }) => kind === 'customer' && title === id).map(({ id }) => id)
  const contacts = await loadMaskedContacts(db, nameless)
  return { hits: hits.map((hit) => ({ ...hit, title: (hit.kind === 'customer' && hit.title === hit.id && contacts.get(hit.id)) || hit.title })) }
}
