import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { maskedContactsOf } from '#features/account/server/door.ts'
import type { deskContract } from '../../contract-desk.console.ts'
import { commandsLike, customersLike, ordersLike, ordersOfTrade, ownersOf, papersLike, withdrawalsLike } from './data-find.ts'

type Contract = typeof deskContract
const EACH = 5
/** `20261122-GPQ4`, the beginning of an order's number. */
const ORDER = /^\d{8}(-[0-9A-Z]{0,12})?$/i
const WITHDRAWAL = /^W\d{4,8}(-[0-9A-Z]{0,12})?$/i
const PAPER = /^(?:IN|RC)-\d{4}-\d{6,9}$|^IR-\d{4,8}(-[0-9A-Z]{0,12})?$/i
const COMMAND = /^C\d{8}-[0-9A-Z]{8}$/i

/** Looks where the form of what was typed says that it can be: each of them is one look into an index. */
export async function find(ctx: Ctx, { q }: InputOf<Contract['find']>): Promise<ReplyOf<Contract['find']>> {
  const { db } = ctx
  const looks = [customersLike(db, q, ctx.operator!.permissions.has('contacts.reveal'), EACH), ownersOf(db, q, EACH)]
  if (ORDER.test(q)) looks.push(ordersLike(db, q, EACH))
  if (WITHDRAWAL.test(q)) looks.push(withdrawalsLike(db, q, EACH))
  if (PAPER.test(q)) looks.push(papersLike(db, q, EACH))
  if (COMMAND.test(q)) looks.push(commandsLike(db, q, EACH))
  if (q.length >= 8) looks.push(ordersOfTrade(db, q, EACH))
  const hits = (await Promise.all(looks)).flat()
  const nameless = hits.filter(({ kind, id, title }) => kind === 'customer' && title === id).map(({ id }) => id)
  const contacts = await maskedContactsOf(db, nameless)
  return { hits: hits.map((hit) => ({ ...hit, title: (hit.kind === 'customer' && hit.title === hit.id && contacts.get(hit.id)) || hit.title })) }
}
