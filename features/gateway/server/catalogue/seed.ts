import { parseMillionths, parseUsd } from '#platform/shared/money.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { announcePrices, lockSeeding, seedModels, seedFilePrices } from './data.ts'
import type { DatedPrice, SeedModel } from './data.ts'
import current from './prices/2026-11-20.json' with { type: 'json' }
import realtime from './prices/2026-11-21-realtime.json' with { type: 'json' }
import announced from './prices/2026-11-21.json' with { type: 'json' }
import media from './prices/2026-11-21-media.json' with { type: 'json' }
import terms from './prices/2026-11-22.json' with { type: 'json' }
import { PRICE_CLASSES, STORED_FACTORS } from './price-classes.ts'
import type { ClassName } from './price-classes.ts'
import type { Factor } from '../hot/deps.ts'

/** Prices by class. The model does not have classes that the file omits. */
type FileClasses = Readonly<Partial<Record<ClassName, string | null>>>
interface PriceFile {
  /** Date of the file, and its topic if a date has several files. */
  readonly asOf: string
  readonly models: readonly (SeedModel & {
    readonly prices: FileClasses
    readonly longContext: { readonly aboveInputTokens: number; readonly prices: FileClasses } | null
  })[]
}

/** Price changes that vendors have announced for a later day. */
interface AnnouncedFile {
  readonly asOf: string
  readonly changes: readonly { readonly id: string; readonly from: string; readonly prices: FileClasses }[]
}

/** Additions to earlier price files from a day on: classes and factors that models gain or change. */
interface AmendingFile {
  readonly asOf: string
  readonly changes: readonly {
    readonly ids: readonly string[]
    readonly prices?: FileClasses
    readonly longPrices?: FileClasses
    readonly factors?: Readonly<Partial<Record<Factor, string>>>
  }[]
}

/** Dated files of models and prices, oldest first. Never edit one that has shipped: add the next. */
const PRICE_FILES: readonly PriceFile[] = [current as unknown as PriceFile, realtime, media]
const ANNOUNCED_FILES: readonly AnnouncedFile[] = [announced]
/** Oldest first; each builds on the files and amendments before it. */
const AMENDING_FILES: readonly AmendingFile[] = [terms]

/** Inserts the files' models and prices into the database, each file once, even if several processes start at the same time. */
export async function seedPrices(deps: Pick<Deps, 'db'>): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    await lockSeeding(tx)
    let position = 0
    for (const { asOf, models } of PRICE_FILES) {
      const source = `prices/${asOf}`
      await seedModels(tx, models, { position, source })
      position += models.length
      const validFrom = new Date(`${asOf.slice(0, 10)}T00:00:00+08:00`)
      await seedFilePrices(
        tx,
        models.map(({ id, prices, longContext }) => ({
          ...{ modelId: id, validFrom, source, classes: toNanoPrices(prices) },
          longAbove: longContext?.aboveInputTokens ?? null,
          longClasses: longContext ? toNanoPrices(longContext.prices) : null,
        })),
      )
    }
    const later = ANNOUNCED_FILES.flatMap(({ asOf, changes }) =>
      changes.map(({ id, from, prices }) => {
        const price = { modelId: id, validFrom: new Date(from), source: `prices/${asOf}`, classes: toNanoPrices(prices) }
        return { ...price, longAbove: null, longClasses: null }
      }),
    )
    await announcePrices(tx, later)
    await announcePrices(tx, buildAmendments())
  })
}

interface CurrentPrices {
  readonly prices: FileClasses
  readonly longContext: { readonly aboveInputTokens: number; readonly prices: FileClasses } | null
  readonly factors: Readonly<Partial<Record<Factor, string>>>
}

/** New rows for each amended model, and for each announced price, which includes the same amendments. */
function buildAmendments(): DatedPrice[] {
  const standing = new Map<string, CurrentPrices>(PRICE_FILES.flatMap(({ models }) => models.map((model) => [model.id, { ...model, factors: {} }])))
  return AMENDING_FILES.flatMap((file) => {
    const source = `prices/${file.asOf}`
    const touched = new Set<string>()
    for (const change of file.changes)
      for (const id of change.ids) {
        standing.set(id, applyAmendment(standing.get(id)!, change))
        touched.add(id)
      }
    return [...touched].flatMap((id) => {
      const now = standing.get(id)!
      const later = ANNOUNCED_FILES.flatMap(({ changes }) => changes.filter((change) => change.id === id))
      return [
        toDatedPrice(id, now, { validFrom: new Date(`${file.asOf}T00:00:00+08:00`), source }),
        ...later.map(({ from, prices }) =>
          toDatedPrice(
            id,
            { ...now, prices: { ...now.prices, ...omitNullPrices(prices) } },
            { validFrom: new Date(from), source: `${source} from ${from.slice(0, 10)}` },
          ),
        ),
      ]
    })
  })
}

function applyAmendment(before: CurrentPrices, change: AmendingFile['changes'][number]): CurrentPrices {
  const { longContext } = before
  return {
    prices: { ...before.prices, ...change.prices },
    longContext: longContext && { ...longContext, prices: { ...longContext.prices, ...change.longPrices } },
    factors: { ...before.factors, ...change.factors },
  }
}

/** An announcement names all classes; drop those without a price. */
const omitNullPrices = (prices: FileClasses): FileClasses => Object.fromEntries(Object.entries(prices).filter(([, price]) => price !== null))

const toDatedPrice = (
  modelId: string,
  { prices, longContext, factors }: CurrentPrices,
  { validFrom, source }: { readonly validFrom: Date; readonly source: string },
): DatedPrice => ({
  ...{ modelId, validFrom, source },
  classes: toNanoPrices(prices),
  longAbove: longContext?.aboveInputTokens ?? null,
  longClasses: longContext ? toNanoPrices(longContext.prices) : null,
  factors: STORED_FACTORS.map((name) => (factors[name] === undefined ? null : parseMillionths(factors[name]))),
})

/** Every row has an input and an output price; zero if the model has none, such as an embedding's output. */
function toNanoPrices(prices: FileClasses): (bigint | null)[] {
  return PRICE_CLASSES.map((name) => {
    const text = prices[name] ?? null
    return text === null ? (name === 'input' || name === 'output' ? 0n : null) : parseUsd(text)
  })
}
