import { scaleTimeout } from '#platform/testing/patience.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { anAttacker } from './attacker.ts'
import type { Attacker } from './attacker.ts'
import type { AttackStage } from './stage.ts'
import type { Strategy } from './strategies/strategy.ts'
import type { AttackBookEntry } from './vendor/book.ts'

/** Outcome of a strategy, in nano-dollars. */
export interface StrategyResult {
  readonly name: string
  /** Total that the vendor bills. */
  readonly vendor: bigint
  readonly charged: bigint
  /** Cost that we absorb: the vendor's bill minus the charges. */
  readonly loss: bigint
  /** Debt of the account, if any. */
  readonly debt: bigint
  readonly asked: number
  readonly served: number
  /** Requests that the vendor bills. */
  readonly billed: number
  readonly replies: ReadonlyMap<string, number>
  /** The requests with the largest loss to us, largest first. */
  readonly worst: readonly ChargeDiscrepancy[]
}

export interface ChargeDiscrepancy {
  readonly entry: AttackBookEntry
  readonly charged: bigint | undefined
  readonly provenance: string | undefined
}

export interface AttackVerdict {
  readonly results: readonly StrategyResult[]
  /** Rows that claim the vendor's figure but differ from the vendor's bill, to the nano-dollar. */
  readonly differing: readonly ChargeDiscrepancy[]
  /** Requests billed by the vendor that no strategy sent. */
  readonly strangers: readonly AttackBookEntry[]
  /** Findings of `wallet:verify`. */
  readonly problems: readonly object[]
}

export interface AttackPlan {
  readonly strategies: readonly Strategy[]
  /** Seconds in which each strategy starts calls. */
  readonly seconds: number
  readonly sideBySide: number
}

/** Longer than the gateway keeps reading after a client has left. */
const REST_MS = scaleTimeout(180_000)

/** Runs every strategy for its time, stops the gateways and compares the books. */
export async function runAttack(
  stage: AttackStage,
  { strategies, seconds, sideBySide }: AttackPlan,
  tell: (line: string) => void = () => undefined,
): Promise<AttackVerdict> {
  const waiting = [...strategies]
  const attackers: Attacker[] = []
  const worker = async (): Promise<void> => {
    for (let strategy = waiting.shift(); strategy !== undefined; strategy = waiting.shift()) {
      const attacker = await anAttacker(stage, strategy.name, { until: Date.now() + seconds * 1000, left: strategy.left })
      attackers.push(attacker)
      await strategy.run(attacker)
      tell(`${strategy.name}: ${attacker.counts.asked} asked, ${attacker.counts.served} served`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, strategies.length) }, worker))
  await waitUntilAtRest(stage)
  await stage.stopNodes()
  return compare(stage, attackers)
}

/** Waits until no call is open, nothing is unposted and the vendor has no request in progress. */
async function waitUntilAtRest({ db, vendor, output }: AttackStage): Promise<void> {
  for (const until = Date.now() + REST_MS; ; await sleep(100)) {
    const [rest] = await db.query<{ open: number; unposted: number }>(
      'select (select count(*)::int from gateway_calls) as open, (select count(*)::int from gateway_unposted) as unposted',
    )
    if (!rest!.open && !rest!.unposted && !vendor.running()) return
    if (Date.now() > until) throw new Error(`not at rest: ${JSON.stringify(rest)}, ${vendor.running()} at the vendor\n${output().slice(-5_000)}`)
  }
}

interface Row {
  readonly userId: string
  readonly amount: bigint
  readonly provenance: string
  readonly upstreamRequestId: string
}

async function compare({ db, vendor }: AttackStage, attackers: readonly Attacker[]): Promise<AttackVerdict> {
  const rows = await db.query<Row>('select user_id, amount, provenance, upstream_request_id from gateway_usage')
  const debts = await db.query<{ owner: string; posted: bigint }>(`select owner, posted from wallet_accounts where kind = 'receivable' and posted < 0`)
  const byId = new Map(rows.map((row) => [row.upstreamRequestId, row]))
  const worstOf = (entry: AttackBookEntry): ChargeDiscrepancy => ({ entry, charged: byId.get(entry.id)?.amount, provenance: byId.get(entry.id)?.provenance })
  const results = attackers.map((attacker): StrategyResult => {
    const entries = vendor.book.entries.filter((entry) => entry.who === attacker.name)
    const billed = entries.reduce((sum, entry) => sum + entry.nano, 0n)
    const charged = rows.reduce((sum, row) => (row.userId === attacker.userId ? sum + row.amount : sum), 0n)
    const debt = debts.reduce((sum, row) => (row.owner === `user:${attacker.userId}` ? sum - row.posted : sum), 0n)
    const lost = ({ entry, charged: paid = 0n }: ChargeDiscrepancy): bigint => entry.nano - paid
    const worst = entries
      .map(worstOf)
      .toSorted((a, b) => (lost(a) < lost(b) ? 1 : -1))
      .slice(0, 3)
    return {
      name: attacker.name,
      vendor: billed,
      charged,
      loss: billed > charged ? billed - charged : 0n,
      debt,
      asked: attacker.counts.asked,
      served: attacker.counts.served,
      billed: entries.length,
      replies: attacker.replies,
      worst,
    }
  })
  const exact = vendor.book.entries.filter((entry) => entry.status === 'whole').map(worstOf)
  const differing = exact.filter(({ entry, charged, provenance }) => provenance === 'upstream' && charged !== entry.nano)
  const names = new Set(attackers.map(({ name }) => name))
  const strangers = vendor.book.entries.filter((entry) => !names.has(entry.who))
  return { results, differing, strangers, problems: (await verifyLedger(db)).problems }
}
