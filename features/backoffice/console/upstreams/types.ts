import type { ReplyOf } from '#platform/shared/contract.ts'
import type { gatewayDeskContract } from '#features/gateway/contract-desk.console.ts'

export type UpstreamDetail = ReplyOf<(typeof gatewayDeskContract)['upstreams']>['upstreams'][number]
