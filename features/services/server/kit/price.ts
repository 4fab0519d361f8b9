import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { maxNano, subtractNano, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { servicePrices } from './settings.ts'
import { requireServiceSpec } from './registry.ts'

/** Current price of a product from the price book. Error: SERVICE_UNKNOWN if it is not sold. */
export async function readServicePrice(deps: Pick<Deps, 'settings'>, service: string, product: string): Promise<Nano> {
  const book = await deps.settings.get(servicePrices)
  return parseUsd(book[`${service}.${product}`] ?? requireServiceSpec(service).prices[product] ?? fail('SERVICE_UNKNOWN'))
}

export interface CodeDiscountRequest {
  readonly userId: string
  readonly service: string
  readonly code: string
}
/** Computes the discount of a code in nano-dollars. Throws if the code may not be used, with the error for the page. */
export type CodeDiscount = (deps: Deps, sql: Sql, wish: CodeDiscountRequest) => Promise<Nano>

let discount: CodeDiscount | undefined

/** Registers the discount function of the feature that owns invitation codes. Call once, before the server listens. */
export function registerCodeDiscount(given: CodeDiscount): void {
  if (discount && discount !== given) throw new Error('codes have their discount already')
  discount = given
}

/** Price after the discount of a code, at least one cent: a free product is a separate product. */
export async function computeDiscountedPrice(
  deps: Deps,
  sql: Sql,
  wish: CodeDiscountRequest & { readonly product: string },
): Promise<{ price: Nano; off: Nano }> {
  const price = await readServicePrice(deps, wish.service, wish.product)
  const off = wish.code === '' || !discount ? 0n : await discount(deps, sql, wish)
  const left = maxNano(subtractNano(price, off), MIN_PRICE)
  return price > left ? { price: left, off: subtractNano(price, left) } : { price, off: 0n }
}
const MIN_PRICE = parseUsd('0.01')
