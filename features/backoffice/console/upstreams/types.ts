import type { ReplyOf } from '#platform/shared/contract.ts'
import type { deskContract } from '#features/gateway/contract-desk.console.ts'

export type Upstream = ReplyOf<(typeof deskContract)['upstreams']>['upstreams'][number]
