import { announcementsContract } from '#features/site/contract-announcements.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { createConsoleApi } from '../kit/api.ts'

export const announcementsApi = createConsoleApi(announcementsContract)
export type Announcement = ReplyOf<(typeof announcementsContract)['announcement']>
export const ANNOUNCEMENT_TONES = { planned: 'info', shown: 'success', over: 'neutral', takenBack: 'warning' } as const
