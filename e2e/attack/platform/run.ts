import { checkBooksAtRest } from '../../robots/oracle/at-rest.ts'
import { waitPatiently, anIntruder } from './intruder.ts'
import type { Intruder } from './intruder.ts'
import type { PlatformStage } from './stage.ts'
import type { PlatformStrategy } from './strategy.ts'
import type { Db } from '#platform/server/database/db.ts'

/** Cost of a strategy's accounts to us in the end, in nano-dollars. */
interface StrategyCost {
  /** Amount paid at the channel, by its own book. */
  readonly paid: bigint
  /** Value received: returned by the channel and the payout company (by their books), charged for, and still in the account. */
  readonly had: bigint
  /** Value received that was neither paid for nor granted. */
  readonly loss: bigint
  readonly debt: bigint
}

/**
 * Compares the books of outside parties (the sandbox channel's payments, refunds and disputes, the payout company's transfers, the vendor's and
 * services' charges); does not use our own bookings of top-ups and refunds.
 */
async function computeStrategyCost(db: Db, userIds: readonly string[]): Promise<StrategyCost> {
  // account by account: one account's loss must not offset another's gain
  const each = await Promise.all(userIds.map((userId) => computeAccountCost(db, userId)))
  const total = (of: (toll: StrategyCost) => bigint): bigint => each.reduce((sum, toll) => sum + of(toll), 0n)
  return { paid: total(({ paid }) => paid), had: total(({ had }) => had), loss: total(({ loss }) => loss), debt: total(({ debt }) => debt) }
}

async function computeAccountCost(db: Db, userId: string): Promise<StrategyCost> {
  const [row] = await db.query<{ paid: bigint; back: bigint; left: bigint; charged: bigint; granted: bigint; debt: bigint }>(SUMS, [[userId]])
  const { paid, back, left, charged, granted, debt } = row!
  const had = back + left + charged
  const loss = had - paid - granted - debt
  if (loss > 0n)
    console.error(`${userId} took more than was paid: paid ${paid}, back ${back}, left ${left}, charged ${charged}, granted ${granted}, debt ${debt}`)
  return { paid, had, loss: loss > 0n ? loss : 0n, debt }
}

/** Cents of yuan to nano-dollars at the rate frozen with the order. */
const toNanoDollarsSql = (minor: string, rate: string): string => `round(${minor}::numeric * 10000000 / ${rate})`

const SUMS = `with mine as (select unnest($1::text[]) as user_id),
  owners as (select 'user:' || user_id as owner from mine union select 'card:' || c.id from cards_cards c join mine m on m.user_id = c.user_id),
  accounts as (select a.* from wallet_accounts a join owners o on o.owner = a.owner),
  trades as (select t.token, o.id as order_id, o.rate, o.pay_minor, o.total_nano from payments_sandbox_trades t
    join payments_attempts p on p.trade_no = t.trade_no join payments_orders o on o.id = p.order_id join mine m on m.user_id = o.user_id),
  paid as (select coalesce(sum(round(p.minor::numeric * t.total_nano / t.pay_minor)), 0)::bigint as sum from payments_sandbox_payments p join trades t on t.token = p.token),
  refunded as (select coalesce(sum(round(r.minor::numeric * t.total_nano / t.pay_minor)), 0)::bigint as sum from payments_sandbox_refunds r
    join trades t on t.token = r.token where r.state in ('succeeded', 'pending', 'stuck')),
  disputed as (select coalesce(sum(round(d.minor::numeric * t.total_nano / t.pay_minor)), 0)::bigint as sum from payments_sandbox_disputes d
    join trades t on t.token = d.token where d.state <> 'won'),
  sent as (select coalesce(sum(${toNanoDollarsSql('p.minor', 'w.rate::numeric')}), 0)::bigint as sum from payments_sandbox_payouts p
    join payments_withdrawals w on w.withdrawal_no = p.payout_no join mine m on m.user_id = w.user_id where p.state in ('paid', 'pending'))
  select (select sum from paid) as paid,
    ((select sum from refunded) + (select sum from disputed) + (select sum from sent))::bigint as back,
    (select coalesce(sum(posted), 0)::bigint from accounts where kind in ('customer', 'card', 'reward', 'deposit')) as left,
    (select coalesce(sum(case when t.debit_account_id in (select id from accounts) then t.amount else -t.amount end), 0)::bigint from wallet_transfers t
      join wallet_transactions x on x.id = t.transaction_id
      where (t.debit_account_id in (select id from accounts) and (t.credit_kind in ('revenue', 'fees', 'issuer') or x.kind = 'test.attack_withdrawn'))
        or (t.credit_account_id in (select id from accounts) and t.debit_kind in ('revenue', 'fees', 'issuer'))) as charged,
    (select coalesce(sum(case when t.debit_kind in ('grants', 'marketing') then t.amount else -t.amount end), 0)::bigint from wallet_transfers t
      where (t.credit_account_id in (select id from accounts) and t.debit_kind in ('grants', 'marketing'))
        or (t.debit_account_id in (select id from accounts) and t.credit_kind in ('grants', 'marketing', 'breakage'))) as granted,
    (select coalesce(-sum(posted), 0)::bigint from accounts where kind = 'receivable') as debt`

/** Outcome of a strategy against the whole platform. */
export interface PlatformResult extends StrategyCost {
  readonly name: string
  /** Number of tries, and the actions that were accepted but must be refused. */
  readonly accepted: readonly string[]
  readonly tried: number
  /** Reason why the attack proves nothing: an honest step that it needs failed. */
  readonly broken: string
  readonly mayOwe: bigint
}

export interface PlatformVerdict {
  readonly results: readonly PlatformResult[]
  /** Server errors, and books that still differ at rest. */
  readonly faults: readonly string[]
}

type PlayedStrategy = Omit<PlatformResult, keyof StrategyCost> & { readonly users: readonly string[] }

/** Runs the strategies with limited parallelism, then compares all books. */
export async function attackPlatform(
  platform: PlatformStage,
  strategies: readonly PlatformStrategy[],
  { sideBySide = 3, tell = () => undefined as void }: { readonly sideBySide?: number; readonly tell?: (line: string) => void } = {},
): Promise<PlatformVerdict> {
  const waiting = [...strategies]
  const played: PlayedStrategy[] = []
  const worker = async (): Promise<void> => {
    for (let strategy = waiting.shift(); strategy !== undefined; strategy = waiting.shift()) {
      const began = performance.now()
      const one = await play(platform, strategy)
      played.push(one)
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      tell(`${one.name}: ${one.tried} tries, ${one.accepted.length} accepted, ${seconds} s ${one.broken}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, strategies.length) }, worker))
  await platform.atRest()
  const results: PlatformResult[] = []
  for (const { users, ...one } of played) results.push({ ...one, ...(await computeStrategyCost(platform.product.db, users)) })
  const differing = (await checkBooksAtRest(platform.product)).map(({ rule, subject, seen, expected }) => `${rule}: ${subject}: ${seen}; expected ${expected}`)
  return { results, faults: [...platform.faults, ...differing] }
}

async function play(platform: PlatformStage, strategy: PlatformStrategy): Promise<PlayedStrategy> {
  const users: string[] = []
  const accepted: string[] = []
  let tried = 0
  let broken = ''
  const tools = {
    platform,
    intruder: async (dollars = 5, ip?: string): Promise<Intruder> => {
      const made = await anIntruder(platform, dollars, ip)
      users.push(made.userId)
      return made
    },
    must: (what: string, isRefused: boolean, seen?: unknown): void => {
      tried++
      if (!isRefused) accepted.push(seen === undefined ? what : `${what}: ${JSON.stringify(seen)}`)
    },
    needs: (what: string, isThere: boolean, seen?: unknown): void => {
      if (!isThere) throw new Error(`needs ${what}: ${JSON.stringify(seen)}`)
    },
  }
  await strategy.run(tools).catch((error: Error) => (broken = error.stack?.split('\n').slice(0, 3).join(' ') ?? error.message))
  await waitPatiently(50)
  return { name: strategy.name, accepted, tried, broken, mayOwe: strategy.mayOwe?.most ?? 0n, users }
}
