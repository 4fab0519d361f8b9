import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'
import json from './results.json' with { type: 'json' }
import type { ConformanceResults } from './results.ts'

export const results = json as unknown as ConformanceResults

/** Whose models were asked, in the order of the dots. */
export const TESTED = SHOWN_VENDORS.filter(({ id }) => id in results.models)
