import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'
import json from './results.json' with { type: 'json' }
import type { ConformanceResults } from './results.ts'

export const results = json as unknown as ConformanceResults

/** Vendors whose models were tested, in the order of the dots. */
export const TESTED = SHOWN_VENDORS.filter(({ id }) => id in results.models)
