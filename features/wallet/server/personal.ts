import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { walletTexts } from '../texts.ts'
import { readBalance, listBalanceEntries } from './verbs/balance.ts'

const CLOSE_TEXT = { balance: 'close_balance', held: 'close_held', owed: 'close_owed' } as const

/** The minimum that every withdrawal leaves in the account (docs/decisions/amounts-and-movements.md) does not block closing it. */
const MIN_REMAINDER = parseUsd('1')
const ENTRIES = 5_000
/** Pages on which each amount is settled: withdrawals and top-ups on the funds page, running calls in the list of requests. */
const PAGES = { balance: '/api?tab=rechargeRecord', held: '/api?tab=requests', owed: '/api?tab=rechargeRecord' } as const

/** Blocks closing for money that can be withdrawn, is held for something running, or is owed to us. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const { withdrawable, held, receivable } = await readBalance(db, userId)
  const blocker = (code: 'balance' | 'held' | 'owed', amount: Nano): Blocker => ({
    code,
    text: fill(walletTexts[lang][CLOSE_TEXT[code]], { amount: formatUsd(amount) }),
    path: PAGES[code],
  })
  return [
    ...(withdrawable > MIN_REMAINDER ? [blocker('balance', withdrawable)] : []),
    ...(held > 0n ? [blocker('held', held)] : []),
    ...(receivable < 0n ? [blocker('owed', -receivable)] : []),
  ]
}

/** Balance and the newest entries. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const [balance, entries] = [await readBalance(db, userId), await listBalanceEntries(db, { userId, limit: ENTRIES })]
  const plain = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? formatAmount(name, value) : value]))
  return { balance: plain(balance), entries: entries.map(plain) }
}

/** Formats a bigint: `seq` is an entry's number, everything else is money. */
const formatAmount = (name: string, value: bigint) => (name === 'seq' ? value.toString() : formatUsd(value))

const factsOf = async ({ db }: Deps, userId: string) => ({ balance: formatUsd((await readBalance(db, userId)).posted) })

export const walletPersonal: PersonalData = { blockersOf, exportOf, factsOf }
