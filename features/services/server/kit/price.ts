import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { atLeast, minus, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { servicePrices } from './settings.ts'
import { specOf } from './registry.ts'

/** Current price of a product from the price book. Error: SERVICE_UNKNOWN if it is not sold. */
export async function priceOf(deps: Pick<Deps, 'settings'>, service: string, product: string): Promise<Nano> {
  const book = await deps.settings.get(servicePrices)
  return parseUsd(book[`${service}.${product}`] ?? specOf(service).prices[product] ?? fail('SERVICE_UNKNOWN'))
}

export interface CodeWish {
  readonly userId: string
  readonly service: string
  readonly code: string
}
/** Computes the discount of a code in nano-dollars. Throws if the code may not be used, with the error for the page. */
export type CodeDiscount = (deps: Deps, sql: Sql, wish: CodeWish) => Promise<Nano>

let discount: CodeDiscount | undefined

/** Registers the discount function of the feature that owns invitation codes. Call once, before the server listens. */
export function registerCodeDiscount(given: CodeDiscount): void {
  if (discount && discount !== given) throw new Error('codes have their discount already')
  discount = given
}

/** Price after the discount of a code, at least one cent: a free product is a different one. */
export async function priceWith(deps: Deps, sql: Sql, wish: CodeWish & { readonly product: string }): Promise<{ price: Nano; off: Nano }> {
  const price = await priceOf(deps, wish.service, wish.product)
  const off = wish.code === '' || !discount ? 0n : await discount(deps, sql, wish)
  const left = atLeast(minus(price, off), LEAST)
  return price > left ? { price: left, off: minus(price, left) } : { price, off: 0n }
}
const LEAST = parseUsd('0.01')
