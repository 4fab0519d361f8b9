import type { ReplyOf } from '#platform/shared/contract.ts'
import type { supportDeskContract } from '#features/support/contract-desk.console.ts'

export type InboxListRow = ReplyOf<(typeof supportDeskContract)['inbox']>['rows'][number]
