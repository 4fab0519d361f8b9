import type { Deps } from '#platform/server/feature.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { MovementKind } from '../../contract-movements.ts'
import type { MovementRow } from './data-funds.ts'

/** Details of a movement from the feature that posted it, in the caller's language. All are optional; the kind's general texts are the fallback. */
export interface MovementFacts {
  /** Part of the title: the card, the method or the product. */
  readonly subject?: string
  /** Second line. */
  readonly about?: string
  /** Overrides the general places of the kind. */
  readonly from?: string
  readonly to?: string
  readonly state?: 'processing' | 'returned'
  readonly orderNo?: string
  readonly withdrawalNo?: string
  readonly cardId?: string
  readonly hasReceipt?: boolean
}

export interface MovementFactsSource {
  readonly kinds: readonly MovementKind[]
  /** Facts by the id of the movement; movements without any are missing. One statement per source, however many movements. */
  readonly read: (
    deps: Pick<Deps, 'db'>,
    asked: { readonly lang: Lang; readonly userId: string; readonly rows: readonly MovementRow[] },
  ) => Promise<ReadonlyMap<bigint, MovementFacts>>
}

export interface UsageDay {
  /** YYYY-MM-DD in Shanghai. */
  readonly day: string
  readonly keyId: string
  readonly keyName: string
  readonly calls: number
  /** Models called, by their names. */
  readonly models: readonly string[]
  readonly amount: Nano
}

interface UsageDays {
  readonly from: string
  readonly before: string
}

/** Sums of calls by day and key, including those not yet rolled up. Days are Shanghai's: `from` inclusive, `before` exclusive. */
export interface UsageSource {
  readonly days: (deps: Pick<Deps, 'db'>, accountId: bigint, days: UsageDays) => Promise<readonly UsageDay[]>
  readonly sum: (deps: Pick<Deps, 'db'>, accountId: bigint, days: UsageDays) => Promise<Nano>
  readonly firstDay: (deps: Pick<Deps, 'db'>, accountId: bigint) => Promise<string | undefined>
}

const facts = new Set<MovementFactsSource>()
let usage: UsageSource | undefined

/** Called once by each feature that posts movements, before the server listens. */
export function registerMovementFacts(source: MovementFactsSource): void {
  facts.add(source)
}

/** Called once by the feature that charges calls. */
export function registerUsageSource(source: UsageSource): void {
  usage = source
}

export const getUsageSource = (): UsageSource => usage ?? { days: async () => [], sum: async () => 0n, firstDay: async () => undefined }

/** Facts of these movements from every source. */
export async function readMovementFacts(
  deps: Pick<Deps, 'db'>,
  lang: Lang,
  { userId, rows }: { readonly userId: string; readonly rows: readonly MovementRow[] },
): Promise<ReadonlyMap<bigint, MovementFacts>> {
  const known = new Map<bigint, MovementFacts>()
  for (const source of facts) {
    const kinds: readonly string[] = source.kinds
    const own = rows.filter((row) => kinds.includes(row.kind))
    if (own.length) for (const [id, found] of await source.read(deps, { lang, userId, rows: own })) known.set(id, found)
  }
  return known
}
