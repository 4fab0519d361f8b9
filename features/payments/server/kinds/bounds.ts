import { fail } from '#platform/shared/errors.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { OrderBounds } from './port.ts'

/** Refuses an amount outside the bounds; the error names the bound. */
export function checkAmount(amount: string, { min, max }: OrderBounds): void {
  if (parseUsd(amount) < parseUsd(min)) fail('AMOUNT_TOO_SMALL', { min })
  if (parseUsd(amount) > parseUsd(max)) fail('AMOUNT_TOO_LARGE', { max })
}
