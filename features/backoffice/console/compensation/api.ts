import type { Tone } from '#ui/badge.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { bulkContract } from '../../contract-bulk.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const bulkApi = createConsoleApi(bulkContract)
export type Bulk = ReplyOf<(typeof bulkContract)['bulks']>['rows'][number]
export const BULK_TONES: Readonly<Record<Bulk['state'], Tone>> = { running: 'info', stopped: 'warning', done: 'neutral' }
