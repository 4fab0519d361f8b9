import type { Sql } from '#platform/server/database/db.ts'
import { minNano, subtractNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { insertAccount } from '../data.ts'
import { selectBalances, selectEntries, selectLotsOf, selectPosted, selectPostedOf, selectAccountBalances } from '../data-balances.ts'
import type { EntryRow } from '../data-balances.ts'
import type { AccountKind, AccountName, AccountOwner } from '../accounts.ts'

/** A user's money in nano-dollars. `receivable` is zero or negative; below zero means debt, and then `available` is 0. */
export interface Balance {
  readonly posted: Nano
  readonly held: Nano
  readonly available: Nano
  readonly purchasedUnspent: Nano
  readonly grantedUnspent: Nano
  /** Purchased money set aside for withdrawals, part of `held`. */
  readonly promised: Nano
  /** Maximum of a withdrawal: purchased, available, not reserved for another withdrawal. */
  readonly withdrawable: Nano
  readonly receivable: Nano
  readonly totalCredited: Nano
  readonly totalSpent: Nano
}

/** Opens an account ahead of its first use and returns its id; other verbs open accounts as needed. */
export async function openAccount(
  sql: Sql,
  owner: AccountOwner,
  { kind, currency = 'USD' }: { readonly kind: AccountKind; readonly currency?: string },
): Promise<bigint> {
  return insertAccount(sql, owner, { kind, currency })
}

/**
 * Reads a user's balance from two rows by key, whatever the journal's size. `totalCredited` counts top-ups (not grants)
 * less those refunded, `totalSpent` the payments from the balance less refunds. A user without an account has zeros.
 */
export async function readBalance(sql: Sql, userId: string, currency = 'USD'): Promise<Balance> {
  const rows = await selectBalances(sql, `user:${userId}`, currency)
  const customer = rows.find((row) => row.kind === 'customer')
  const { posted = 0n, held = 0n, granted = 0n, purchasedHeld: promised = 0n, recharged = 0n, spent = 0n } = customer ?? {}
  const available = subtractNano(posted, held)
  const purchasedUnspent = subtractNano(posted, granted)
  return {
    posted,
    held,
    available,
    purchasedUnspent,
    grantedUnspent: granted,
    promised,
    withdrawable: minNano(available, subtractNano(purchasedUnspent, promised)),
    receivable: rows.find((row) => row.kind === 'receivable')?.posted ?? 0n,
    totalCredited: recharged,
    totalSpent: spent,
  }
}

/** Posted balances of many users in one statement (`posted` of `balanceOf`); users without an account are missing. */
export async function readPostedBalances(sql: Sql, userIds: readonly string[], currency = 'USD'): Promise<ReadonlyMap<string, Nano>> {
  const owners = new Map<string, string>(userIds.map((userId) => [`user:${userId}`, userId]))
  return new Map((await selectPosted(sql, [...owners.keys()], currency)).map((row) => [owners.get(row.owner)!, row.posted]))
}

/** Balance of a user's reward account in nano-dollars; below zero if more was taken back than it held. */
export async function readRewardBalance(sql: Sql, userId: string): Promise<Nano> {
  return selectPostedOf(sql, `user:${userId}`, 'reward')
}

/** Remaining credit from `orderRef`, the maximum of a refund of that order, in nano-dollars. */
export async function readUnspentCredit(
  sql: Sql,
  userId: string,
  { orderRef, currency = 'USD' }: { readonly orderRef: string; readonly currency?: string },
): Promise<{ purchased: Nano; granted: Nano }> {
  const rows = await selectLotsOf(sql, `user:${userId}`, { orderRef, currency })
  const left = (kind: string) => rows.find((row) => row.kind === kind)?.remaining ?? 0n
  return { purchased: left('purchased'), granted: left('granted') }
}

/** Entries of a user's balance, newest first, before entry number `before`; each with the balance after it. */
export async function listBalanceEntries(sql: Sql, wanted: { userId: string; before?: bigint; limit: number; currency?: string }): Promise<EntryRow[]> {
  return selectEntries(sql, `user:${wanted.userId}`, { currency: wanted.currency ?? 'USD', before: wanted.before, limit: wanted.limit })
}

/** Balance of a card in nano-dollars. `owed` is positive; while it is above zero, nothing is available. */
export interface CardBalance {
  readonly posted: Nano
  readonly held: Nano
  readonly available: Nano
  readonly owed: Nano
}

/** Balances of many cards in one statement; a card without an account has zeros. */
export async function readCardBalances(sql: Sql, cardIds: readonly string[]): Promise<ReadonlyMap<string, CardBalance>> {
  const rows = await selectAccountBalances(
    sql,
    cardIds.map((id) => `card:${id}`),
    ['card', 'receivable'],
  )
  const at = new Map(rows.map((row) => [`${row.owner}/${row.kind}`, row]))
  return new Map(
    cardIds.map((id) => {
      const { posted = 0n, held = 0n } = at.get(`card:${id}/card`) ?? {}
      return [id, { posted, held, available: subtractNano(posted, held), owed: subtractNano(0n, at.get(`card:${id}/receivable`)?.posted ?? 0n) }]
    }),
  )
}

/** Posted balance of one account; zero before its first use. */
export async function readPostedBalance(sql: Sql, account: AccountName): Promise<Nano> {
  return (await selectAccountBalances(sql, [account.owner], [account.kind]))[0]?.posted ?? 0n
}
