import { VENDORS } from '#features/gateway/web/door.ts'
import json from './results.json' with { type: 'json' }
import type { Results } from './results.ts'

export const results = json as unknown as Results

/** Whose models were asked, in the order of the dots. */
export const TESTED = VENDORS.filter(({ id }) => id in results.models)
