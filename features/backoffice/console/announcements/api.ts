import { announcementsContract } from '#features/site/contract-announcements.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { consoleApi } from '../kit/api.ts'

export const announcementsApi = consoleApi(announcementsContract)
export type Announcement = ReplyOf<(typeof announcementsContract)['announcement']>
export const STATE_TONES = { planned: 'info', shown: 'success', over: 'neutral', takenBack: 'warning' } as const
