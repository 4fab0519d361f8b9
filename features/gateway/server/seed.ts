import { parseUsd } from '#platform/shared/money.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/transact.ts'
import { announcePrice, lockSeeding, seedModel, seedPrice } from './data-models.ts'
import type { SeedModel } from './data-models.ts'
import current from './prices/2026-11-20.json' with { type: 'json' }
import realtime from './prices/2026-11-21-realtime.json' with { type: 'json' }
import announced from './prices/2026-11-21.json' with { type: 'json' }
import media from './prices/2026-11-21-media.json' with { type: 'json' }
import { CLASSES } from './price-classes.ts'
import type { ClassName } from './price-classes.ts'

/** Classes that a file does not name are none of that model's. */
type FileClasses = Readonly<Partial<Record<ClassName, string | null>>>
interface PriceFile {
  /** A day, and what the file is about where a day has several. */
  readonly asOf: string
  readonly models: readonly (SeedModel & {
    readonly prices: FileClasses
    readonly longContext: { readonly aboveInputTokens: number; readonly prices: FileClasses } | null
  })[]
}

/** What vendors have said they will ask from a later day on. */
interface AnnouncedFile {
  readonly asOf: string
  readonly changes: readonly { readonly id: string; readonly from: string; readonly prices: FileClasses }[]
}

/** Dated files of models and prices, oldest first. Never edit one that has shipped: add the next. */
const FILES: readonly PriceFile[] = [current as unknown as PriceFile, realtime, media]
const ANNOUNCED: readonly AnnouncedFile[] = [announced]

/** Brings the files' models and prices into the database, each file once, whatever the number of processes that start. */
export async function seedPrices(deps: Pick<Deps, 'db'>): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    await lockSeeding(tx)
    let position = 0
    for (const file of FILES) {
      const source = `prices/${file.asOf}`
      for (const model of file.models) {
        await seedModel(tx, model, position++, source)
        await seedPrice(
          tx,
          {
            modelId: model.id,
            classes: toNano(model.prices),
            longAbove: model.longContext?.aboveInputTokens ?? null,
            longClasses: model.longContext ? toNano(model.longContext.prices) : null,
          },
          `${file.asOf.slice(0, 10)}T00:00:00+08:00`,
          source,
        )
      }
    }
    for (const file of ANNOUNCED)
      for (const { id, from, prices } of file.changes)
        await announcePrice(tx, { modelId: id, classes: toNano(prices), longAbove: null, longClasses: null }, new Date(from), `prices/${file.asOf}`)
  })
}

/** Every row has an input and an output price; what a model does not have, such as an embedding's output, has none to pay. */
function toNano(prices: FileClasses): (bigint | null)[] {
  return CLASSES.map((name) => {
    const text = prices[name] ?? null
    return text === null ? (name === 'input' || name === 'output' ? 0n : null) : parseUsd(text)
  })
}
